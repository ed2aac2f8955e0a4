import type { ContentBlock, Message } from '@ctx/core';
import { createCacheLinter } from '@ctx/truncation';
import { blockText } from './block-text.ts';
import { pricesOf, type RecordedRequest } from './recorded-requests.ts';
import type { SessionView, ShownSegment } from './request-moment.ts';

/** A request, and the window that was sent with it. */
export interface SentRequest {
  readonly request: RecordedRequest;
  readonly view: SessionView;
}

type Finding = ReturnType<
  ReturnType<typeof createCacheLinter>['result']
>['requests'][number]['findings'][number];

/** What a request lost of the cached prefix of the one before, and its price. */
export interface MomentLint {
  readonly price: string;
  readonly pricesDate: string;
  /** What a token costs more that the cache lacked: in tokens at the plain price, and in US dollars. */
  readonly missed: { readonly ute: number; readonly dollars: number };
  readonly findings: readonly (Finding & { readonly dollars: number; readonly fix: string })[];
}

/** Stands for what a log keeps no text of: the system prompt and the tools. */
const aside = 'system prompt and tools, not in the log';

type Role = Message['role'];

const textBlock = (block: ContentBlock) => ({ type: 'text', text: blockText(block) });

/** Who said the pieces of a message: what is neither a call nor a result goes with those beside it. */
function roleOf(segments: readonly ShownSegment[]): Role {
  const isUsers = segments.some(({ kind }) => kind === 'user' || kind === 'result');
  return isUsers ? 'user' : 'assistant';
}

/** The messages of a window, as a request has them, each piece as the text that people read. */
function messagesOf({ segments, summary }: SessionView): unknown[] {
  const byMessage = new Map<number, ShownSegment[]>();
  for (const segment of segments) {
    const pieces = byMessage.get(segment.message);
    if (pieces === undefined) byMessage.set(segment.message, [segment]);
    else pieces.push(segment);
  }
  const shown = [...byMessage.values()].flatMap((pieces) => {
    const content = pieces.flatMap(({ block }) => (block === undefined ? [] : [textBlock(block)]));
    return content.length === 0 ? [] : [{ role: roleOf(pieces), content }];
  });
  if (summary === undefined) return shown;
  return [{ role: summary.role, content: summary.content.map(textBlock) }, ...shown];
}

/** What the pieces of the windows weigh, by their text: as the windows say it. */
function sizesOf(sent: readonly SentRequest[]): Map<string, number> {
  const pieces = sent.flatMap(({ view }) => view.segments);
  return new Map(
    pieces.flatMap(({ block, tokens }): [string, number][] =>
      block === undefined ? [] : [[blockText(block), tokens]],
    ),
  );
}

/** What stands before the messages. Where the window knows that it changed, it differs from that of the other request. */
function bodyOf({ view }: SentRequest, changed: string | undefined, which: string): unknown {
  const text = `${aside}${changed === 'system' || changed === 'tools' ? ` (${which})` : ''}`;
  const messages = messagesOf(view);
  return changed === 'tools'
    ? { tools: [{ name: 'all', text }], messages }
    : { system: [{ type: 'text', text }], messages };
}

function modelOf({ request: { model } }: SentRequest, changed: string | undefined, which: string) {
  if (model !== undefined) return { model };
  return changed === 'model' ? { model: which } : {};
}

/**
 * Judges a request by the one before it, as `ctx cache-lint` judges two requests of a log. The system prompt and the tools count with
 * their size alone.
 */
export function lintMoments(
  before: SentRequest,
  after: SentRequest,
  countTokens: (text: string) => number,
): MomentLint {
  const { model, cause } = after.request;
  const { price, pricesDate } = pricesOf([before.request, after.request])(model);
  const sizes = sizesOf([before, after]);
  const linter = createCacheLinter({
    ...{ price, isOneConversation: true },
    countTokens: (text) =>
      text.startsWith(aside)
        ? Math.round(after.view.fixedTokens)
        : (sizes.get(text) ?? countTokens(text)),
  });
  for (const [sent, which] of [
    [before, 'before'],
    [after, 'after'],
  ] as const) {
    linter.add({
      body: bodyOf(sent, cause, which),
      time: sent.request.at,
      ...modelOf(sent, cause, which),
    });
  }
  const { requests, causes } = linter.result();
  const fixes = new Map(causes.map(({ cause: name, fix }) => [name, fix]));
  const dollarsOf = (ute: number): number => (ute * price.dollarsPerMillion) / 1e6;
  const inputTokens = requests[1]?.inputTokens ?? 0;
  const missedUte = (inputTokens < price.minimumTokens ? 1 : price.write) - price.read;
  const isAside = cause === 'system' || cause === 'tools';
  const findings = (requests[1]?.findings ?? []).map(({ change, ...finding }) => ({
    ...finding,
    // Readers learn nothing from the stand-in texts of the system prompt and the tools.
    ...(change === undefined || (isAside && finding.cause === cause) ? {} : { change }),
    dollars: dollarsOf(finding.ute),
    fix: fixes.get(finding.cause) ?? '',
  }));
  const missed = { ute: missedUte, dollars: dollarsOf(missedUte) };
  return { price: price.name, pricesDate, missed, findings };
}
