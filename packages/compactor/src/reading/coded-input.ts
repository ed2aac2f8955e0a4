import { toolCalls } from '@ctx/relevance';
import { type PatchedFile, patchedFiles } from './patched-files.ts';
import { readOwnText } from './read-own.ts';

/** What a program of Codex's code mode asks for. */
export interface CodedInput {
  /** Its command lines, one below the other; `undefined` if it starts none. */
  readonly command: string | undefined;
  readonly patched: readonly PatchedFile[];
}

/** Reads a program in the arguments of a call; `undefined` where they hold none. Takes linear time. */
export function codedInput(input: unknown): CodedInput | undefined {
  const code = typeof input === 'string' ? input : readOwnText(input, ['code', 'input']);
  const coded = code === undefined ? undefined : toolCalls.coded(code);
  if (coded === undefined) return undefined;
  const lines = coded.commands.map(({ command }) => command);
  return {
    command: lines.length === 0 ? undefined : lines.join('\n'),
    patched: coded.patches.flatMap((patch) => patchedFiles(patch)),
  };
}
