import { createRedactor } from '@ctx/redact';
import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import type { Headers } from '../dialects/dialect.ts';
import type { Exchange } from '../exchange/types.ts';
import { type Proxy } from '../proxy.ts';
import { prefixOf } from './judge-anthropic.ts';

export const headers = { 'x-claude-code-session-id': '5e55-1' };
const path = '/v1/messages?beta=true';

/** A clock that a test sets. */
export interface TestClock {
  now: number;
}

export async function testStore(clock: TestClock = { now: 1e12 }): Promise<ContextStore> {
  return openStore(memoryBackend(), { redactor: createRedactor(), clock: () => clock.now });
}

interface Sent {
  readonly body: string;
  readonly exchange: Exchange;
}

export async function send(proxy: Proxy, body: string, more: Headers = headers): Promise<Sent> {
  const exchange = await proxy.exchange({ path, headers: more, body: Buffer.from(body) });
  return { body: exchange.body ?? body, exchange };
}

export function isPrefix(before: readonly string[], after: readonly string[]): boolean {
  return before.every((block, index) => block === after[index]);
}

/** The prefixes that changed from request to request. */
export function changesOf(bodies: readonly string[]): number {
  const prefixes = bodies.map((body) => prefixOf(JSON.parse(body)));
  return prefixes.filter((prefix, index) => !isPrefix(prefixes[index - 1] ?? [], prefix)).length;
}

export const tokensIn = (body: string): number => Math.ceil(body.length / 3.5);
