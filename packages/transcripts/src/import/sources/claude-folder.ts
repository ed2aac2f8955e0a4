import { lstat, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ToolResultBlock } from '@ctx/core';
import { fingerprintText } from '@ctx/core/encoding';
import type { ReadReceipt } from '../../read-receipt.ts';
import { openTranscript } from '../../read-transcript.ts';
import type { TranscriptEvent } from '../../transcript.ts';
import { stateOfFile } from '../files/file-state.ts';
import { readPlain } from '../files/open-file.ts';
import { readWhole } from '../files/read-whole.ts';
import type { ImportSource } from '../import-source.ts';

const logEnd = '.jsonl';

/** Names of the logs of sub-agents. */
export const agentLog: RegExp = /^agent-[\w-]{1,100}\.jsonl$/;

/** Most results in files of their own that one session names. */
const maxPersisted = 10_000;

/** The folder of a session, which bears the name of its log. */
const folderOf = (path: string): string => path.slice(0, -logEnd.length);

async function isFolder(path: string): Promise<boolean> {
  // A link is none: nothing outside of the session's own folder is read.
  return (await lstat(path).catch(() => undefined))?.isDirectory() === true;
}

/** The parts of a session's own folder that are read with its log. */
const folderParts = ['subagents', 'tool-results'];

/**
 * The files in a session's own folder that are read with its log; none where it has no such folder. Makes one `lstat` where there
 * is none.
 */
export async function filesBeside(path: string): Promise<string[]> {
  if (!path.endsWith(logEnd) || !(await isFolder(folderOf(path)))) return [];
  const files: string[] = [];
  for (const part of folderParts) {
    const folder = join(folderOf(path), part);
    if (!(await isFolder(folder))) continue;
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries) if (entry.isFile()) files.push(join(folder, entry.name));
  }
  return files;
}

/** What tells that files are as they were: their names, sizes and times. `undefined` where there are none. */
async function stateOfFiles(paths: readonly string[]): Promise<string | undefined> {
  if (paths.length === 0) return undefined;
  const traits = await Promise.all(paths.map(stateOfFile));
  return fingerprintText(JSON.stringify([paths, traits]));
}

async function agentLogsIn(folder: string): Promise<string[]> {
  const agents = join(folder, 'subagents');
  if (!(await isFolder(folder)) || !(await isFolder(agents))) return [];
  const entries = await readdir(agents, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && agentLog.test(entry.name));
  return names.map(({ name }) => join(agents, name)).sort();
}

/** A result that stands in a file of its own; the log holds its beginning. */
interface Persisted {
  readonly name: string;
  readonly lane: string;
  readonly block: ToolResultBlock;
  readonly at: number | undefined;
}

function persistedIn({ message, extra, lane, at }: TranscriptEvent): Persisted | undefined {
  const path = extra?.['persistedOutputPath'];
  const block = message?.content.find(({ type }) => type === 'tool_result');
  if (typeof path !== 'string' || block?.type !== 'tool_result') return undefined;
  // Only the name counts: wherever the log says that the file was, it is looked for in the session's own folder.
  return { name: basename(path.replaceAll('\\', '/')), lane, block, at };
}

/** Behind the log: what is not in it. */
type Draft = Omit<TranscriptEvent, 'seq' | 'source'>;

/** The whole result in a message that no view shows: the model saw only its beginning. */
async function wholeOf(folder: string, persisted: Persisted): Promise<Draft | undefined> {
  const { name, lane, block, at } = persisted;
  const results = join(folder, 'tool-results');
  if (!(await isFolder(folder)) || !(await isFolder(results))) return undefined;
  const bytes = await readWhole(join(results, name)).catch(() => undefined);
  if (bytes === undefined) return undefined;
  const text = Buffer.from(bytes).toString('utf8');
  return {
    kind: 'message',
    lane,
    flags: { hidden: true },
    message: { role: 'user', content: [{ ...block, content: [{ type: 'text', text }] }] },
    extra: { sideFile: `tool-results/${name}` },
    ...(at === undefined ? {} : { at }),
  };
}

/** The events of a sub-agent's log, which is a lane of its session; gives the receipt of its reading. */
async function* eventsOfAgent(path: string): AsyncGenerator<Draft, ReadReceipt, undefined> {
  const { events, receipt } = await openTranscript(readPlain(path), { format: 'claude-code' });
  const own = basename(path).slice('agent-'.length, -logEnd.length);
  for await (const { seq: _, source: origin, ...event } of events) {
    const extra = { ...event.extra, sideFile: `subagents/${basename(path)}`, origin };
    yield { ...event, lane: event.lane === 'main' ? own : event.lane, extra };
  }
  return receipt();
}

/** What was read beside the log. */
interface Joined {
  readonly receipts: ReadReceipt[];
  readonly notes: Record<string, number>;
}

async function* eventsBehind(
  path: string,
  persisted: readonly Persisted[],
  { receipts, notes }: Joined,
): AsyncGenerator<Draft, void, undefined> {
  const folder = folderOf(path);
  const count = (name: string): void => {
    notes[name] = (notes[name] ?? 0) + 1;
  };
  for (const one of persisted) {
    const whole = await wholeOf(folder, one);
    count(whole === undefined ? 'missing beside the log' : 'read whole beside the log');
    if (whole !== undefined) yield whole;
  }
  for (const log of await agentLogsIn(folder)) {
    count('joined from logs of sub-agents');
    receipts.push(yield* eventsOfAgent(log));
  }
}

function summed(receipt: ReadReceipt, { receipts, notes }: Joined): ReadReceipt {
  const all = [receipt, ...receipts];
  const sum = (pick: (one: ReadReceipt) => number): number =>
    all.reduce((total, one) => total + pick(one), 0);
  const counts = (pick: (one: ReadReceipt) => Readonly<Record<string, number>>) =>
    all.flatMap((one) => Object.entries(pick(one)));
  const added: Record<string, number> = { ...notes };
  for (const [name, count] of counts((one) => one.notes)) added[name] = (added[name] ?? 0) + count;
  const bad: Record<string, number> = {};
  for (const [name, count] of counts(({ bad: own }) => own)) bad[name] = (bad[name] ?? 0) + count;
  return {
    ...receipt,
    records: sum(({ records }) => records),
    messages: sum(({ messages }) => messages),
    notes: added,
    bad,
    usage: {
      input: sum(({ usage }) => usage.input),
      cacheRead: sum(({ usage }) => usage.cacheRead),
      cacheWrite: sum(({ usage }) => usage.cacheWrite),
      output: sum(({ usage }) => usage.output),
    },
  };
}

/**
 * The log of a Claude Code session, and after it what lies in the session's own folder: whole results of which the log holds the
 * beginning, in messages that no view shows, and the logs of its sub-agents, each a lane.
 * Reads `<session>/tool-results` and `<session>/subagents` only, and follows no link; what is missing is counted.
 */
async function withClaudeFolder(source: ImportSource): Promise<ImportSource> {
  const beside = await stateOfFiles(await filesBeside(source.path));
  const joined: Joined = { receipts: [], notes: {} };
  async function* events(): AsyncGenerator<TranscriptEvent, void, undefined> {
    const persisted: Persisted[] = [];
    let seq = 0;
    for await (const event of source.events) {
      const found = persistedIn(event);
      if (found !== undefined && persisted.length < maxPersisted) persisted.push(found);
      seq = event.seq + 1;
      yield event;
    }
    const place = { offset: source.position().bytes, length: 0, sha256: '' };
    for await (const draft of eventsBehind(source.path, persisted, joined)) {
      yield { ...draft, seq, source: place };
      seq += 1;
    }
  }
  return {
    ...source,
    ...(beside === undefined ? {} : { beside }),
    events: events(),
    receipt: () => summed(source.receipt(), joined),
  };
}

/** A source with what lies in its own folder, where its format has one: see {@link withClaudeFolder}. */
export async function withOwnFolder(source: ImportSource): Promise<ImportSource> {
  const hasFolder = source.format === 'claude-code' && source.path.endsWith(logEnd);
  return hasFolder ? await withClaudeFolder(source) : source;
}
