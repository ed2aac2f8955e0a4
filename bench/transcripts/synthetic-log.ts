import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

/** A stream of numbers from a seed, each from 0 up to 1. */
function startRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const words =
  'const return import export function await result error path file value of the to in is test line – größer 漢字 "quoted" \\ \t {}'.split(
    ' ',
  );

function textOf(random: () => number, length: number): string {
  const parts: string[] = [];
  for (let size = 0; size < length; size += 8) {
    parts.push(words[Math.floor(random() * words.length)] ?? '', random() < 0.1 ? '\n' : ' ');
  }
  return parts.join('');
}

interface TurnLines {
  readonly add: (type: string, rest: object) => void;
  readonly lines: readonly unknown[];
}

/** Records with what all of them have; each hangs on the one before. */
function startLines(turn: number): TurnLines {
  const lines: unknown[] = [];
  let parentUuid: string | null = null;
  const add = (type: string, rest: object): void => {
    const place = String(lines.length).padStart(12, '0');
    const uuid = `${turn.toString(16).padStart(8, '0')}-0000-4000-8000-${place}`;
    const timestamp = new Date(1_750_000_000_000 + turn * 60_000 + lines.length * 1_000);
    const tool = { userType: 'external', cwd: '/home/dev/shop', sessionId: 'S', version: '2.1.0' };
    lines.push({ parentUuid, isSidechain: false, ...tool, type, uuid, timestamp, ...rest });
    parentUuid = uuid;
  };
  return { add, lines };
}

const usage = {
  input_tokens: 4,
  cache_creation_input_tokens: 900,
  cache_read_input_tokens: 50_000,
  output_tokens: 200,
};

/** One block of a response, as it is recorded. */
function responseOf(id: string, block: object): object {
  const message = { id, type: 'message', role: 'assistant', model: 'm', content: [block] };
  return { requestId: 'r', message: { ...message, stop_reason: null, usage } };
}

/** The lines of one turn of a session: a prompt, then calls with results, as Claude Code writes them. */
function linesOfTurn(turn: number, random: () => number): string[] {
  const { add, lines } = startLines(turn);
  add('user', { message: { role: 'user', content: textOf(random, 300) } });
  for (let step = 0; step < 8; step += 1) {
    const id = `toolu_${turn}_${step}`;
    const response = `msg_${turn}_${step}`;
    const input = { command: textOf(random, 120) };
    add('assistant', responseOf(response, { type: 'text', text: textOf(random, 200) }));
    add('assistant', responseOf(response, { type: 'tool_use', id, name: 'Bash', input }));
    const output = textOf(random, random() < 0.1 ? 20_000 : 1_500);
    const content = [{ tool_use_id: id, type: 'tool_result', content: output }];
    const toolUseResult = { stdout: output, stderr: '' };
    add('user', { message: { role: 'user', content }, toolUseResult });
    if (step % 4 === 0) add('progress', { data: { type: 'hook', command: textOf(random, 60) } });
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`);
}

/** Writes a made-up Claude Code log of at least so many bytes; the same bytes each time. */
export async function writeSyntheticLog(path: string, bytes: number): Promise<number> {
  const file = createWriteStream(path, { mode: 0o600 });
  const random = startRandom(7);
  let written = 0;
  for (let turn = 0; written < bytes; turn += 1) {
    const chunk = Buffer.from(linesOfTurn(turn, random).join(''));
    written += chunk.length;
    if (!file.write(chunk)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
  return written;
}
