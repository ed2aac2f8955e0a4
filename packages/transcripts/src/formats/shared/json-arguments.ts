import type { Extra, ToolUseBlock } from '@ctx/core';
import { isJsonEqual, parseJson } from '../../values.ts';

/** What the model sent as JSON text, and its exact text where writing the value would give another. */
export function readArguments(text: string): { input: unknown; extra?: Extra } {
  const value = parseJson(text);
  if (value === undefined) return { input: text, extra: { arguments: text } };
  return JSON.stringify(value) === text
    ? { input: value }
    : { input: value, extra: { arguments: text } };
}

/** The input of a call as JSON text: the exact text that was read as long as it still says the input. */
export function argumentsOf(block: ToolUseBlock): string {
  const exact = block.extra?.['arguments'];
  if (isInputOf(exact, block.input)) return exact;
  return block.input === undefined ? '{}' : JSON.stringify(block.input);
}

function isInputOf(text: unknown, input: unknown): text is string {
  if (typeof text !== 'string') return false;
  return text === input || isJsonEqual(parseJson(text), input);
}
