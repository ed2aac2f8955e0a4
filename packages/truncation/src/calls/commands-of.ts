import type { ToolUseBlock } from '@ctx/core';
import { toolCalls } from '@ctx/relevance';
import { beginning } from './patch-text.ts';
import { shellUse } from './shell/shell-use.ts';

/** A command line, and the folder that it runs in. */
export interface RunCommand {
  readonly command: string;
  readonly folder: string | undefined;
}

type Named = Pick<ToolUseBlock, 'name' | 'input'>;

function member(input: unknown, names: readonly string[]): unknown {
  if (typeof input !== 'object' || input === null) return undefined;
  const name = names.find((each) => Object.hasOwn(input, each));
  return name === undefined ? undefined : (Reflect.get(input, name) as unknown);
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** A command as one line: `["bash", "-lc", "ls"]` and its like are joined with their quotes. */
function lineOf(value: unknown): string | undefined {
  if (isText(value)) return value;
  if (!Array.isArray(value) || !value.every(isText)) return undefined;
  return value.map((word) => (/^[\w./:=-]+$/.test(word) ? word : quoted(word))).join(' ');
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'"'"'`)}'`;

/** The commands of a program; of those that are no literals where they are started, the ones that show or change files. */
function codedCommands(coded: ReturnType<typeof toolCalls.coded>): readonly RunCommand[] {
  if (coded === undefined) return [];
  const likely = coded.candidates.filter(({ command, folder }) => {
    const { shows, edited } = shellUse(command, folder);
    return shows !== undefined || edited.length > 0;
  });
  return [...coded.commands, ...likely];
}

/** What a tool that runs command lines is called. */
const shells = /bash|shell|command|console|exec|terminal|process|^sh$|^run|^cmd$/i;

/** The members under which they take a command, several, and the folder to run in. */
const commandNames = ['command', 'cmd', 'script', 'CommandLine'];
const listNames = ['commands'];
const folderNames = ['workdir', 'cwd', 'Cwd', 'cd', 'working_directory', 'directory'];

function commandsIn(input: unknown): readonly string[] {
  const list = member(input, listNames);
  const lines = Array.isArray(list) ? list.map(lineOf) : [lineOf(member(input, commandNames))];
  return lines.filter((line) => line !== undefined);
}

/** The command lines that a call runs: of a shell, or of a program in code mode. Empty for other tools. */
export function commandsOf({ name, input }: Named): readonly RunCommand[] {
  if (isText(input)) return codedCommands(toolCalls.coded(input));
  const code = member(input, ['code', 'input']);
  const coded = isText(code) ? toolCalls.coded(code) : undefined;
  if (coded !== undefined) return codedCommands(coded);
  if (!shells.test(name)) return [];
  // OpenAI's shell tools put what to run into an action.
  const asked = member(input, ['action']) ?? input;
  const folder = member(asked, folderNames);
  return commandsIn(asked).map((command) => ({
    command,
    folder: isText(folder) ? folder : undefined,
  }));
}

/** Deepest member that is looked at for a patch. */
const maxDepth = 3;

/** A patch of one file as OpenAI's tool takes it: the path beside the hunks. */
function filePatch(value: object): string[] {
  const [path, diff] = [member(value, ['path']), member(value, ['diff'])];
  const isPatch =
    isText(path) && isText(diff) && /^(?:@@|[-+ ])/.test(diff) && !/^[<-]{5}/.test(diff);
  return isPatch ? [`${beginning}\n*** Update File: ${path}\n${diff}`] : [];
}

/** The patches in the form of Codex in a call: as its input, in a member, in a shell or in code mode. Takes linear time. */
export function patchesOf({ input }: Named): readonly string[] {
  const found: string[] = [];
  const visit = (value: unknown, depth: number): void => {
    if (isText(value)) {
      if (!value.includes(beginning)) return;
      const coded = toolCalls.coded(value);
      found.push(...(coded === undefined ? [value] : coded.patches));
    } else if (typeof value === 'object' && value !== null && depth < maxDepth) {
      found.push(...filePatch(value));
      for (const each of Object.values(value)) visit(each, depth + 1);
    }
  };
  visit(input, 0);
  return found;
}
