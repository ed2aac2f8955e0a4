import { setTimeout as wait } from 'node:timers/promises';
import { createRandom } from '../compaction/random.ts';
import type { TeamProvider } from './team-provider.ts';

/** How the agents of a team work. */
export interface TeamLoad {
  readonly provider: TeamProvider;
  /** Addresses of the processes, with the key; they may be replaced while it runs. */
  readonly bases: readonly string[];
  /** Addresses of as many processes that only hand requests on. */
  readonly bare: readonly string[];
  readonly conversations: number;
  /** Requests of each conversation. */
  readonly turns: number;
  /** Longest time between an answer and the next request, ms. */
  readonly thinkMs: number;
  readonly seed: number;
}

/** What the agents saw. */
export interface TeamSeen {
  /** Requests that were answered. */
  answered: number;
  /** Conversations that came to their end. */
  ended: number;
  /** Requests that were sent again, by what was said. */
  readonly refused: Map<string, number>;
  /** From sending a request until the provider had it, ms; only those that were sent once. */
  readonly through: number[];
  /** The same without the proxy, just before; and what the proxy added. */
  readonly direct: number[];
  readonly added: number[];
  /** What a process added there that only hands on. */
  readonly addedBare: number[];
}

/** A request that is never answered ends the run. */
const mostTries = 600;
/** One request in so many is sent directly, too. */
const directEvery = 4;

const warmTurns = 30;

const mark = { cache_control: { type: 'ephemeral' } };

function linesOf(name: string, lines: number): string {
  return Array.from(
    { length: lines },
    (_, line) =>
      `${String(line + 1)}\tconst ${name}_${String(line)} = compute(${String(line * 7)});`,
  ).join('\n');
}

/** A call and its result: files, some of them again; test runs, some of them over the size of a preview. */
function turnOf(conversation: number, turn: number, size: number): string[] {
  const id = `toolu_${String(conversation)}_${String(turn)}`;
  const file = `file_${String(turn % 9)}`;
  const isRun = turn % 5 === 4;
  const [name, input, text] = isRun
    ? ['Bash', { command: `npm test -- ${file}` }, linesOf(`run_${String(turn)}`, size * 4)]
    : ['Read', { file_path: `/work/${file}.ts` }, linesOf(`${file}_${String(conversation)}`, size)];
  const call = { type: 'tool_use', id, name, input };
  const result = { type: 'tool_result', tool_use_id: id, content: text };
  return [
    JSON.stringify({ role: 'assistant', content: [{ type: 'text', text: 'Next.' }, call] }),
    JSON.stringify({ role: 'user', content: [result] }),
  ];
}

function bodyOf(messages: readonly string[], model: string): string {
  const tools = ['Read', 'Bash'].map((name) => ({ name, input_schema: { type: 'object' } }));
  const system = [{ type: 'text', text: 'You are an agent.', ...mark }];
  const head = { model, max_tokens: 32_000, stream: true, system, tools };
  return `${JSON.stringify(head).slice(0, -1)},"messages":[${messages.join(',')}]}`;
}

/** One request as it is sent. */
interface TeamRequest {
  readonly conversation: string;
  readonly name: string;
  readonly body: string;
  /** The process that is asked first, by its place. */
  readonly first: number;
}

/** Sends it once. Gives how long it took until the provider had it, or says what else came. */
async function send(
  { provider }: TeamLoad,
  base: string,
  { conversation, name, body }: TeamRequest,
): Promise<number | string> {
  const headers = { 'x-claude-code-session-id': conversation, 'x-request-name': name };
  const start = performance.now();
  try {
    const response = await fetch(`${base}/v1/messages`, { method: 'POST', headers, body });
    const text = await response.text();
    if (!response.ok) return `${String(response.status)} ${text.slice(0, 80)}`;
    if (!text.includes('message_stop')) return 'a part of an answer';
    return (provider.times.get(name) ?? Number.NaN) - start;
  } catch {
    return 'no answer';
  }
}

/** Sends it to one process after the other until it is answered. */
async function ask(load: TeamLoad, seen: TeamSeen, request: TeamRequest) {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const base = load.bases[(request.first + tries) % load.bases.length] ?? '';
    const took = await send(load, base, request);
    if (typeof took === 'number') return { took, tries };
    seen.refused.set(took, (seen.refused.get(took) ?? 0) + 1);
    await wait(100);
  }
  throw new Error(`${request.name} was never answered`);
}

/** Sends it directly, then through a process that only hands it on. */
async function sendBeside(load: TeamLoad, request: TeamRequest) {
  const { name, first } = request;
  const direct = await send(load, `${load.provider.url}/direct`, { ...request, name: `${name}-d` });
  const process = load.bare[first] ?? '';
  const bare = await send(load, `${process}/direct`, { ...request, name: `${name}-b` });
  return typeof direct === 'number' && typeof bare === 'number' ? { direct, bare } : undefined;
}

async function converse(load: TeamLoad, seen: TeamSeen, conversation: number): Promise<void> {
  const random = createRandom((load.seed * 100_003 + conversation + load.bases.length) * 7_919_881);
  const name = `team-${String(conversation)}`;
  const messages = [JSON.stringify({ role: 'user', content: `Do the chores of ${name}.` })];
  // Another model in the middle: its cache is cold, so that something may leave.
  const switchesAt = conversation % 4 === 0 ? Math.floor(load.turns / 2) : load.turns;
  for (let turn = 0; turn < load.turns; turn += 1) {
    await wait(random.next() * load.thinkMs);
    const model = turn < switchesAt ? 'claude-sonnet-4-5' : 'claude-opus-4-5';
    const body = bodyOf(messages, model);
    const first = random.upTo(load.bases.length);
    const request = { conversation: name, name: `${name}-${String(turn)}`, body, first };
    const beside = random.upTo(directEvery) === 0 ? await sendBeside(load, request) : undefined;
    const { took, tries } = await ask(load, seen, request);
    seen.answered += 1;
    if (tries === 0) seen.through.push(took);
    if (tries === 0 && beside !== undefined) {
      seen.direct.push(beside.direct);
      seen.added.push(took - beside.direct);
      seen.addedBare.push(beside.bare - beside.direct);
    }
    messages.push(...turnOf(conversation, turn, 20 + random.upTo(60)));
  }
  seen.ended += 1;
}

/** Nothing seen yet. */
export function nothingSeen(): TeamSeen {
  return {
    answered: 0,
    ended: 0,
    refused: new Map(),
    through: [],
    direct: [],
    added: [],
    addedBare: [],
  };
}

/** Lets a conversation go on at each process, without pauses and without counting it: a process that just began compiles its code. */
export async function warmUp(load: TeamLoad): Promise<void> {
  for (const [at, base] of load.bases.entries()) {
    const alone = { ...load, bases: [base], thinkMs: 0, turns: warmTurns };
    await converse(alone, nothingSeen(), -1 - at);
  }
}

/** Lets all conversations go on at once until each has ended. */
export async function workAsTeam(load: TeamLoad, seen: TeamSeen): Promise<void> {
  await Promise.all(
    Array.from({ length: load.conversations }, (_, number) => converse(load, seen, number)),
  );
}
