import type { Message, ToolResultBlock, ToolUseBlock } from '@ctx/core';
import { createFileNames, describeCall } from '@ctx/truncation';
import { type EvidenceMeter, plainLine } from './measure-evidence.ts';

/** What was read again. Sums over the lines of later reads of a file that earlier tool results had shown, tokens. */
export interface RereadTotal {
  readonly tokens: number;
  /** Of these, those that stood in the request which was answered with the read. */
  readonly inView: number;
}

/** One read of a file that was read before. */
export interface RereadNeed {
  /** Its lines that an earlier tool result had shown, each once. */
  readonly lines: readonly string[];
  /** Tokens for each character of them. */
  readonly tokensPerCharacter: number;
}

/** Shorter lines, such as a bracket, stand everywhere. */
const minLine = 4;

/** Finds what later reads repeat. */
export interface RereadMeter {
  /** Takes the next message of the session. */
  take(message: Message): void;
  /** The reads in an answer that repeat earlier ones; `later` holds their results. To be asked before the answer is taken. */
  needsOf(answer: readonly Message[], later: readonly Message[]): RereadNeed[];
  /** Tokens of the need, and those of them that stand in the request. */
  measure(need: RereadNeed, request: readonly Message[]): RereadTotal;
}

export interface RereadMeterOptions {
  readonly tokensOf: (message: Message) => number;
  readonly evidence: EvidenceMeter;
}

/** A call that shows files, and which. */
interface ReadCall {
  readonly call: ToolUseBlock;
  readonly paths: readonly string[];
}

/** Reads of files, also those of a shell; a search or a diff names no file that it shows as it is. */
function readsIn(
  messages: readonly Message[],
  { nameOf }: ReturnType<typeof createFileNames>,
): ReadCall[] {
  return messages.flatMap(({ content }) =>
    content.flatMap((block) => {
      const use = block.type === 'tool_use' ? describeCall(block) : undefined;
      const isRead = use?.access === 'read' && (use.shows === undefined || use.shows === 'file');
      if (block.type !== 'tool_use' || !isRead) return [];
      const shown = use.shown?.map(({ path }) => path) ?? [use.path];
      return [{ call: block, paths: shown.map(nameOf) }];
    }),
  );
}

const resultsIn = ({ content }: Message): ToolResultBlock[] =>
  content.filter((block) => block.type === 'tool_result');

function linesOf({ content }: ToolResultBlock): string[] {
  return content
    .flatMap((part) => (part.type === 'text' ? part.text.split('\n') : []))
    .map(plainLine);
}

const characters = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + line.length, 0);

/** Lines that none of the blocks of the request holds. */
function missingIn(
  lines: readonly string[],
  request: readonly Message[],
  meter: EvidenceMeter,
): readonly string[] {
  let missing = lines;
  for (const block of request.flatMap(({ content }) => content)) {
    const held = meter.indexOf(block).lines;
    missing = missing.filter((line) => !held.has(line));
    if (missing.length === 0) break;
  }
  return missing;
}

/** Makes a meter for one session. Looks through each result once; a need costs lines × blocks in view. */
export function createRereadMeter({ tokensOf, evidence }: RereadMeterOptions): RereadMeter {
  const shown = new Set<string>();
  const paths = new Set<string>();
  const open = new Map<string, readonly string[]>();
  const names = createFileNames();
  const needOf = (block: ToolResultBlock): RereadNeed | undefined => {
    const all = linesOf(block);
    const lines = [...new Set(all.filter((line) => line.length >= minLine && shown.has(line)))];
    if (block.isError === true || lines.length === 0) return undefined;
    const tokens = tokensOf({ role: 'user', content: [block] });
    return { lines, tokensPerCharacter: tokens / Math.max(1, characters(all)) };
  };
  return {
    take: (message) => {
      for (const { call, paths: read } of readsIn([message], names)) open.set(call.id, read);
      for (const block of resultsIn(message)) {
        if (block.isError !== true) {
          for (const path of open.get(block.toolUseId) ?? []) paths.add(path);
        }
        for (const line of linesOf(block)) shown.add(line);
      }
    },
    needsOf: (answer, later) => {
      const again = readsIn(answer, names).filter((read) =>
        read.paths.some((path) => paths.has(path)),
      );
      const ids = new Set(again.map(({ call }) => call.id));
      const results = later.flatMap(resultsIn).filter(({ toolUseId }) => ids.has(toolUseId));
      return results.flatMap((block) => needOf(block) ?? []);
    },
    measure: ({ lines, tokensPerCharacter }, request) => {
      const tokens = tokensPerCharacter * characters(lines);
      const missing = missingIn(lines, request, evidence);
      return { tokens, inView: tokens - tokensPerCharacter * characters(missing) };
    },
  };
}
