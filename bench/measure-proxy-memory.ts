/**
 * What a proxy takes in memory: `ctx proxy` in a process of its own, with so many conversations that grow to so many tokens and go on in
 * turn, each answered as a provider does that caches. Read from /proc, so on Linux alone.
 * Run: `npm run bench -- proxy-memory [--conversations 1,8,64] [--tokens 200000] [--rounds 100]`. Takes some minutes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values: flags } = parseArgs({
  options: {
    conversations: { type: 'string', default: '1,8,64' },
    tokens: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '100' },
  },
});

const bin = fileURLToPath(new URL('../../apps/cli/dist/bin.cjs', import.meta.url));
const tokensOfTurn = 950;

/** Tokens that the request before of each conversation had: so many are in the cache. */
const cached = new Map<unknown, number>();
const provider = createServer((request, response) => {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => (bytes += chunk.length));
  request.on('end', () => {
    const session = request.headers['x-claude-code-session-id'];
    const tokens = Math.round(bytes / 3.2);
    const known = Math.min(tokens - 1, cached.get(session) ?? 0);
    cached.set(session, tokens);
    const usage = {
      input_tokens: tokens - known,
      cache_read_input_tokens: known,
      output_tokens: 9,
    };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ usage }));
  });
});
provider.listen(0, '127.0.0.1');
await once(provider, 'listening');
const address = provider.address();
const upstream = `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : 0)}`;

/** Megabytes that a process has, now and at most. */
function residentOf({ pid }: ChildProcess): { readonly now: number; readonly most: number } {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  const read = (name: string): number =>
    Math.round((Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) * 1024) / 1e6);
  return { now: read('VmRSS'), most: read('VmHWM') };
}

interface Place {
  readonly child: ChildProcess;
  readonly url: string;
}

async function startProxy(folder: string): Promise<Place> {
  const store = `sqlite:${join(folder, 'ctx.db')}`;
  const args = [bin, 'proxy', '--json', '--store', store, '--upstream', `anthropic=${upstream}`];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, HOME: folder },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let told = '';
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    told += chunk.toString();
    if (told.includes('}')) break;
  }
  return { child, url: (JSON.parse(told) as { url: string }).url };
}

/** A call with about {@link tokensOfTurn} tokens of result, as two elements. */
function turnOf(conversation: number, turn: number): string[] {
  const id = `toolu_${String(conversation)}_${String(turn)}`;
  const lines = Array.from({ length: 60 }, (_, line) => {
    const value = (conversation * 31 + turn * 7919 + line) % 9973;
    return `const value_${String(turn)}_${String(line)} = compute(${String(value)}, "part ${String(line % 7)}");`;
  });
  const call = { type: 'tool_use', id, name: 'Bash', input: { command: `step ${String(turn)}` } };
  const result = { type: 'tool_result', tool_use_id: id, content: lines.join('\n') };
  return [
    JSON.stringify({ role: 'assistant', content: [{ type: 'text', text: 'Next.' }, call] }),
    JSON.stringify({ role: 'user', content: [result] }),
  ];
}

async function ask(
  url: string,
  conversation: number,
  elements: readonly string[],
): Promise<number> {
  const tools = [{ name: 'Bash', input_schema: { type: 'object' } }];
  const head = { model: 'claude-sonnet-4-5[1m]', system: 'You are an agent.', tools };
  const body = `${JSON.stringify(head).slice(0, -1)},"messages":[${elements.join(',')}]}`;
  const headers = { 'x-claude-code-session-id': `bench-${String(conversation)}` };
  const answer = await fetch(`${url}/v1/messages`, { method: 'POST', body, headers });
  await answer.text();
  return body.length / 1e6;
}

async function measure(conversations: number) {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-bench-'));
  const { child, url } = await startProxy(folder);
  const before = residentOf(child).now;
  const all = Array.from({ length: conversations }, (_, at) => [
    JSON.stringify({ role: 'user', content: `Do the chores of house ${String(at)}.` }),
  ]);
  let body = 0;
  const goOn = async (turns: number): Promise<void> => {
    for (const [at, elements] of all.entries()) {
      for (let count = 0; count < turns; count += 1) {
        elements.push(...turnOf(at, elements.length));
      }
      body = await ask(url, at, elements);
    }
  };
  for (let turns = 0; turns < Number(flags.tokens) / tokensOfTurn; turns += 20) await goOn(20);
  for (let requests = 0; requests < Number(flags.rounds); requests += conversations) await goOn(1);
  const { now, most } = residentOf(child);
  child.kill('SIGTERM');
  await once(child, 'exit');
  rmSync(folder, { recursive: true });
  return { conversations, bodyMB: Math.round(body * 100) / 100, before, now, most };
}

const rows = [];
for (const count of flags.conversations.split(',')) rows.push(await measure(Number(count)));
console.table(rows);
provider.close();
provider.closeAllConnections();
