import { readOwn, readOwnText } from './read-own.ts';

const commandKeys: readonly string[] = ['command', 'cmd', 'script', 'code'];

/** The shell command of a call's arguments, a list of words joined. Undefined for the one-word commands of file editors. */
export function commandOf(input: unknown): string | undefined {
  const words = readOwn(input, 'command') ?? readOwn(input, 'cmd');
  if (Array.isArray(words)) {
    const texts = words.filter((word) => typeof word === 'string');
    return texts.length === 0 ? undefined : texts.join(' ');
  }
  const text = readOwnText(input, commandKeys)?.trim();
  return text === undefined || /^(view|create|str_replace|insert|undo_edit)$/.test(text)
    ? undefined
    : text;
}
