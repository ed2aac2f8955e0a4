import { isRecord } from '@ctx/core/encoding';
import type { createCacheLinter } from '@ctx/truncation';

export type LoggedRequest = Parameters<ReturnType<typeof createCacheLinter>['add']>[0];

type JsonRecord = Readonly<Record<string, unknown>>;

/** The value of a JSON text, or `undefined`. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** Numbers over this are milliseconds since the epoch, those below seconds. */
const leastMs = 1e11;

function timeOf(value: unknown): number | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) {
    return value > leastMs ? value : value * 1000;
  }
  const parsed = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(parsed) ? undefined : parsed;
}

const isBody = (record: JsonRecord): boolean =>
  'messages' in record || 'input' in record || 'contents' in record;

/** What a proxy, a logger or a client of Google wrote around a body, from the outside in, and the body. */
function unwrap(value: unknown): {
  readonly around: readonly JsonRecord[];
  readonly body: unknown;
} {
  if (!isRecord(value)) return { around: [], body: value };
  if (isBody(value)) return { around: [value], body: value };
  const inner = value['body'] ?? value['request'];
  const { around, body } = unwrap(typeof inner === 'string' ? parseJson(inner)?.value : inner);
  return { around: [value, ...around], body };
}

/** The first text that a record has under one of the names. */
function textIn(records: readonly unknown[], names: readonly string[]): string | undefined {
  const values = records
    .filter(isRecord)
    .flatMap((record) => names.map((name): unknown => record[name]));
  return values.find((value): value is string => typeof value === 'string' && value !== '');
}

/** Headers in which agents name the one of them that asks: Claude Code's sub-agents, Codex, OpenCode. */
const agentHeaders = ['x-claude-code-agent-id', 'thread-id', 'x-session-id'];

function withSmallNames(headers: unknown): JsonRecord {
  if (!isRecord(headers)) return {};
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return Object.fromEntries(entries) as JsonRecord;
}

/** The model that an address of Gemini names: `…/models/gemini-2.5-pro:generateContent`. */
function modelIn(address: string | undefined): string | undefined {
  const [, named] = address?.split('/models/') ?? [];
  const [model] = named?.split(':') ?? [];
  return model === '' ? undefined : model;
}

/** The request that a value of a log is, with what stands around its body. */
export function requestOf(value: unknown): LoggedRequest {
  const { around, body } = unwrap(value);
  const [outermost = {}] = around;
  const time = timeOf(outermost['time'] ?? outermost['timestamp'] ?? outermost['sent_at']);
  const headers = around.map((record) => withSmallNames(record['headers']));
  const agent = textIn(around, ['agent', 'agent_id', 'agentId']) ?? textIn(headers, agentHeaders);
  const model = textIn(around, ['model']) ?? modelIn(textIn(around, ['url', 'path']));
  return {
    body,
    ...(time === undefined ? {} : { time }),
    ...(agent === undefined ? {} : { agent }),
    ...(model === undefined ? {} : { model }),
  };
}
