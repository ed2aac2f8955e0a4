import { errorAdvice, isCtxError } from '@ctx/core';
import { outputText } from '@ctx/core/encoding';
import { type ContextStore, findPattern, readCharacters, readLines } from '@ctx/store';
import { messagesText, outputIdOf, sessionLog } from '@ctx/truncation';
import { textAt } from '../json/values.ts';

/** Most characters of an answer: so much goes into a window whole. */
const maxCharacters = 6000;

/** What a model asks for. */
interface Args {
  readonly address: string;
  readonly lines: string | undefined;
  readonly characters: string | undefined;
  readonly grep: string | undefined;
}

function argsOf(given: unknown): Args | undefined {
  const address = textAt(given, 'address');
  if (address === undefined) return undefined;
  const [lines, characters, grep] = ['lines', 'characters', 'grep'].map((name) => {
    const text = textAt(given, name);
    return text === '' ? undefined : text;
  });
  return { address, lines, characters, grep };
}

/** Where something is read. */
export interface ReadPlace {
  readonly store: ContextStore;
  readonly sessionId: string;
}

async function outputOf(store: ContextStore, address: string): Promise<string> {
  const output = await store.outputs.load({ id: outputIdOf(address) });
  return output === undefined ? `There is no output ${address}.` : outputText(output.result);
}

async function textOf({ store, sessionId }: ReadPlace, address: string): Promise<string> {
  if (!address.trim().startsWith('ctx://messages')) return outputOf(store, address);
  const log = sessionLog(store, sessionId);
  const pointer = await log.outputAt(address);
  if (pointer !== undefined) return outputOf(store, pointer);
  return messagesText(await log.messagesAt(address));
}

function linesOf(text: string, given: string): string {
  const [, first, dash, last] = /^(\d{1,9})(-(\d{1,9})?)?$/.exec(given) ?? [];
  if (first === undefined) return 'Wrong arguments: "lines" must look like 40-80, 40- or 40.';
  const to = dash === undefined ? first : last;
  const from = Math.max(1, Number(first));
  const read = readLines(text, {
    from,
    maxCharacters,
    ...(to === undefined ? {} : { to: Math.max(from, Number(to)) }),
  });
  const { totalLines, nextLine, rest } = read;
  const shown = `[ctx: lines ${String(read.from)}-${String(read.to)} of ${String(totalLines)}`;
  const more =
    rest === undefined
      ? nextLine === undefined
        ? ''
        : `; more: "lines":"${String(nextLine)}-"`
      : `; more: "characters":"${rest}"`;
  return `${shown}${more}]\n${read.text}`;
}

function partOf(text: string, { lines, characters, grep }: Args): string {
  if (grep !== undefined) {
    const found = findPattern(text, { pattern: grep, regex: true, contextLines: 0, maxCharacters });
    const all = text.split('\n');
    const shown = found.matches.map(({ line }) => `${String(line)}:${all[line - 1] ?? ''}`);
    return `[ctx: ${String(found.totalMatches)} lines match]\n${shown.join('\n')}`.slice(
      0,
      maxCharacters,
    );
  }
  if (characters !== undefined) {
    const read = readCharacters(text, characters, maxCharacters);
    const more = read.rest === undefined ? '' : `; more: "characters":"${read.rest}"`;
    return `[ctx: ${String(read.totalCharacters)} characters in all${more}]\n${read.text}`;
  }
  return linesOf(text, lines ?? '1-');
}

/**
 * Answers a call of the tool. What is wrong with it is said in words.
 * @throws what the store throws if it cannot be read.
 */
export async function readStored(place: ReadPlace, args: unknown): Promise<string> {
  const asked = argsOf(args);
  if (asked === undefined)
    return 'Wrong arguments: "address" must be a text such as ctx://outputs/….';
  try {
    return partOf(await textOf(place, asked.address), asked);
  } catch (error) {
    const isTheirs =
      isCtxError(error, 'CTX_NOT_FOUND') ||
      isCtxError(error, 'CTX_INVALID_ADDRESS') ||
      isCtxError(error, 'CTX_INVALID_INPUT');
    if (!isTheirs) throw error;
    return `${error.message}. ${errorAdvice[error.code]}`;
  }
}
