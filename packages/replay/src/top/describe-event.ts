import type { SessionEvent } from '@ctx/core';
import { storedEventOf } from '@ctx/transcripts';
import { countText, timeText } from '@ctx/core/encoding';
import type { TopEvent } from './top-moment.ts';

function memberOf(value: unknown, name: string): unknown {
  const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isObject ? Reflect.get(value, name) : undefined;
}

function tokensText(value: unknown): string {
  return typeof value === 'number' ? countText(value) : '?';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function changeText(holder: unknown): string {
  const [before, after] = ['beforeTokens', 'afterTokens'].map((name) => memberOf(holder, name));
  return `${tokensText(before)} → ${tokensText(after)} tokens`;
}

/** What an event of a window says, by its type. */
const windowDetails: Readonly<Record<string, (event: unknown) => string>> = {
  received: (event) => textOf(memberOf(memberOf(event, 'message'), 'role')),
  requested: (event) => {
    const flush = memberOf(event, 'flush');
    return flush === undefined
      ? ''
      : `flush (${textOf(memberOf(flush, 'cause'))}): ${changeText(flush)}`;
  },
  compacted: changeText,
  resized: (event) => `window of ${tokensText(memberOf(event, 'windowTokens'))} tokens`,
  observed: (event) =>
    `${tokensText(memberOf(event, 'inputTokens'))} tokens in, ${tokensText(memberOf(event, 'cachedTokens'))} from the cache`,
  'cache-miss': (event) => textOf(memberOf(event, 'cause')),
  rewound: (event) => `to event ${tokensText(memberOf(event, 'to'))}`,
  checkpoint: (event) => textOf(memberOf(event, 'name')),
};

function detailOf({ type, payload }: SessionEvent): string {
  const kind = type.replace(/^window-/, '');
  const describe = Object.hasOwn(windowDetails, kind) ? windowDetails[kind] : undefined;
  if (kind !== type && describe !== undefined) return describe(memberOf(payload, 'event'));
  const stored = storedEventOf(payload);
  if (stored === undefined) return '';
  const results = stored.results.length === 0 ? '' : `, ${String(stored.results.length)} stored`;
  return `${stored.event.message?.role ?? ''}${results}`;
}

/** An entry of a log in one line: no content. */
export function describeEvent(event: SessionEvent): TopEvent {
  const { sequence, at, type, tokens } = event;
  return { sequence, at: timeText(at), type, tokens, detail: detailOf(event) };
}
