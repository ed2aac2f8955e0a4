import { Buffer } from 'node:buffer';
import { createRedactor } from '@ctx/redact';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import type { ProxyOptions } from '../exchange/types.ts';
import {
  type Answer,
  type ListeningProxy,
  type LoopbackProvider,
  listeningProxy,
  loopbackProvider,
} from './loopback-provider.ts';
import { type Step } from './scripted-agent.ts';

export const opened: { close(): Promise<void> }[] = [];

interface Place {
  readonly provider: LoopbackProvider;
  readonly listening: ListeningProxy;
}

export async function start(answer: Answer, options: Partial<ProxyOptions> = {}): Promise<Place> {
  const provider = await loopbackProvider(answer);
  const store = options.store ?? (await openStore(memoryBackend(), { redactor: createRedactor() }));
  const listening = await listeningProxy(provider.url, { ...options, store });
  opened.push(listening, provider);
  return { provider, listening };
}

export const ok: Answer = (_received, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'x-ratelimit': '7' });
  response.end('{"usage":{"input_tokens":10,"output_tokens":3}}');
};

export const large: Step = {
  tool: 'Bash',
  input: { command: 'make' },
  result: Array.from({ length: 2000 }, (_, line) => `line ${String(line)} of the log`).join('\n'),
};

export const headers = { 'x-claude-code-session-id': 's', 'content-type': 'application/json' };

export function post(base: string, body: string | Uint8Array, more: Record<string, string> = {}) {
  const init = { method: 'POST', headers: { ...headers, ...more }, body: Buffer.from(body) };
  return fetch(`${base}/v1/messages?beta=true`, init);
}
