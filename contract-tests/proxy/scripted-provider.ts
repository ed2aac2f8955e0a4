import { Buffer } from 'node:buffer';
import { createServer, type ServerResponse } from 'node:http';
import { isRecord } from '@ctx/core/encoding';
import {
  type Answer,
  answerJson,
  type Body,
  isList,
  type ScriptedApi,
} from './apis/scripted-api.ts';

/** One answer of the scripted model. */
export type Turn = Answer | ((body: Body) => Answer);

/** What reached the provider on the path of a conversation. */
export interface ReceivedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Body;
  /** All of its input in tokens, and what of it the cache had. */
  readonly tokens: number;
  readonly cached: number;
}

export interface ScriptedProvider {
  readonly url: string;
  /** Requests of the conversation: those with tools. */
  readonly received: readonly ReceivedRequest[];
  /** What was refused, and why. */
  readonly refused: readonly string[];
  /** Paths at which a client wanted a websocket. */
  readonly upgrades: readonly string[];
  close(): Promise<void>;
}

/** How a provider is made. */
export interface ProviderScript {
  readonly api: ScriptedApi;
  readonly script: readonly Turn[];
  /** What the real provider would refuse of a request. */
  readonly judge: (body: Body) => string | undefined;
}

interface Kept extends ProviderScript {
  /** What the cache has. */
  readonly prompts: string[];
  readonly received: ReceivedRequest[];
  readonly refused: string[];
}

/** Tools that stand in no prompt: they are written out where a result refers to them. */
const isDeferred = (tool: unknown): boolean => isRecord(tool) && tool['defer_loading'] === true;

/** Everything of a request that a cache goes by, in the order of a prompt: where its marks are does not count. */
function promptOf({ tools, system, systemInstruction, messages, input, contents }: Body): string {
  const named = isList(tools) ? tools.filter((tool) => !isDeferred(tool)) : tools;
  const prompt = [named, system, systemInstruction, messages, input, contents];
  const withoutMarks = (name: string, value: unknown): unknown =>
    name === 'cache_control' ? undefined : value;
  // A text alone is the same as a block of text.
  return JSON.stringify(prompt, withoutMarks).replaceAll(
    /"content":\[\{"type":"text","text":("(?:[^"\\]|\\.)*")\}\]/g,
    '"content":$1',
  );
}

function commonLength(a: string, b: string): number {
  let [same, most] = [0, Math.min(a.length, b.length)];
  while (same < most) {
    const next = Math.ceil((same + most) / 2);
    if (a.slice(same, next) === b.slice(same, next)) same = next;
    else most = next - 1;
  }
  return same;
}

const tokensOf = (characters: number): number => Math.ceil(characters / 4);

/** How much of a request the provider's cache has from those before it; then it has all of it. */
function cachedTokens({ prompts }: Kept, body: Body): number {
  const prompt = promptOf(body);
  const lengths = prompts.map((before) => commonLength(before, prompt));
  prompts.push(prompt);
  return tokensOf(Math.max(0, ...lengths));
}

function answer(
  kept: Kept,
  request: Omit<ReceivedRequest, 'tokens' | 'cached'>,
  response: ServerResponse,
): void {
  const { api, script, received, refused } = kept;
  const { path, body } = request;
  const tokens = tokensOf(JSON.stringify(body).length);
  const aside = api.aside(path, body);
  if (aside !== undefined) {
    if ('json' in aside) answerJson(response, 200, aside.json);
    else api.write(response, aside, { place: 0, tokens, cached: 0 });
    return;
  }
  const message = kept.judge(body);
  if (message !== undefined) {
    refused.push(message);
    answerJson(response, 400, api.refusal(message));
    return;
  }
  const cached = Math.min(tokens, cachedTokens(kept, body));
  received.push({ ...request, tokens, cached });
  const place = api.turnsDone(body);
  const turn = script[place] ?? { text: 'nothing is left' };
  const said = typeof turn === 'function' ? turn(body) : turn;
  api.write(response, said, { place, tokens, cached });
}

/** A provider on loopback whose model follows a script, and which refuses what `judge` refuses. */
export async function scriptedProvider(script: ProviderScript): Promise<ScriptedProvider> {
  const kept: Kept = { ...script, prompts: [], received: [], refused: [] };
  const upgrades: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      const text = Buffer.concat(chunks).toString();
      if (!script.api.isConversation(path) || text === '') {
        answerJson(response, 404, {});
        return;
      }
      answer(kept, { path, headers, body: JSON.parse(text) as Body }, response);
    });
  });
  server.on('upgrade', ({ url = '' }, socket) => {
    upgrades.push(url);
    socket.end('HTTP/1.1 426 Upgrade Required\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    received: kept.received,
    refused: kept.refused,
    upgrades,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
