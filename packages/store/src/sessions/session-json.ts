import { CtxError } from '@ctx/core';
import { isRecord } from '@ctx/core/encoding';
import {
  emptySessionDocument,
  type SessionDocument,
  sessionDocumentSchema,
} from './session-document.ts';

type Members = Readonly<Record<string, unknown>>;

/** Without the members that are `null`: other languages write an absent option so. */
function withoutNulls(value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

function historyOf(value: unknown): unknown {
  return Array.isArray(value) ? value.map(withoutNulls) : value;
}

/** Fills in what an older or smaller writer leaves out; what is there is not changed. */
function completed(given: Members, fallbackId: string): unknown {
  const { session_id, ...defaults } = emptySessionDocument(fallbackId);
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const stats = withoutNulls(present['tool_stats']);
  const usage = withoutNulls(present['token_usage']);
  return {
    session_id,
    ...defaults,
    ...present,
    recent_history: historyOf(present['recent_history'] ?? []),
    tool_stats: isRecord(stats) ? { ...defaults.tool_stats, ...stats } : defaults.tool_stats,
    token_usage: isRecord(usage) ? { ...defaults.token_usage, ...usage } : defaults.token_usage,
  };
}

function isDocument(value: unknown): value is SessionDocument {
  return sessionDocumentSchema.safeParse(value).success;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CtxError('CTX_INVALID_FILE', 'the session document is no JSON', { cause });
  }
}

/**
 * Reads a session document as the seed writes it, from JSON text.
 * Members that are missing or `null` get their defaults; unknown ones are kept. `fallbackId` names a document that
 * has no `session_id`.
 * @throws `CTX_INVALID_INPUT`, naming the member.
 */
export function readSessionJson(text: string, fallbackId = ''): SessionDocument {
  const given = parsed(text);
  if (!isRecord(given)) {
    throw new CtxError('CTX_INVALID_FILE', 'a session document is a JSON object');
  }
  const document = completed(given, fallbackId);
  if (isDocument(document)) return document;
  const issue = sessionDocumentSchema.safeParse(document).error?.issues[0];
  const where = issue === undefined ? '' : `${issue.path.join('.')}: ${issue.message}`;
  throw new CtxError('CTX_INVALID_FILE', `no session document: ${where}`);
}

/**
 * The document as JSON that a person can read, its members in the seed's order.
 * @throws `CTX_TOO_LARGE` where it is too deep.
 */
export function writeSessionJson(document: SessionDocument): string {
  try {
    const order = emptySessionDocument(document.session_id);
    return `${JSON.stringify({ ...order, ...document }, null, 2)}\n`;
  } catch (cause) {
    throw new CtxError('CTX_TOO_LARGE', 'the session document is nested too deeply', { cause });
  }
}
