import { type ModelInfo, modelsByPrefix } from './models.ts';

/** Makers that clouds put before a model's name, as in `us.anthropic.claude-…` or `mistral.mistral-large`. */
const makers: readonly string[] = [
  'anthropic.',
  'openai.',
  'google.',
  'meta.',
  'mistral.',
  'deepseek.',
  'qwen.',
];
/** What Claude Code adds for the large window. */
const largeWindowMark = '[1m]';

/**
 * The bare name of a model: without gateway, region, maker and fine-tuning prefix, lower case, at most 200 characters.
 * `openrouter/anthropic/claude-sonnet-4.5` and `us.anthropic.claude-sonnet-4-5-v1:0` both begin `claude-sonnet-4-5`.
 */
export function bareModelName(model: string): string {
  const path = model.slice(0, 200).toLowerCase();
  let name = path.slice(path.lastIndexOf('/') + 1);
  if (name.startsWith('ft:')) name = name.slice(3);
  for (const maker of makers) {
    const at = name.indexOf(maker);
    if (at >= 0) name = name.slice(at + maker.length);
  }
  return name.startsWith('claude') ? name.replaceAll('.', '-') : name;
}

/**
 * Looks a model up in the dated table by the longest fitting beginning of its name.
 * Pure; `undefined` for a model that no entry fits. A name that ends in `[1m]` has a window of 1,000,000.
 */
export function findModel(model: string): ModelInfo | undefined {
  const name = bareModelName(model);
  const info = longestPrefix(modelsByPrefix, name);
  if (info === undefined || !name.endsWith(largeWindowMark)) return info;
  return { ...info, windowTokens: Math.max(info.windowTokens, 1_000_000) };
}

/** The value of the longest key that `name` begins with. */
export function longestPrefix<Value>(
  entries: Iterable<readonly [string, Value]>,
  name: string,
): Value | undefined {
  let longest = -1;
  let found: Value | undefined;
  for (const [prefix, value] of entries) {
    if (prefix.length <= longest || !name.startsWith(prefix)) continue;
    longest = prefix.length;
    found = value;
  }
  return found;
}
