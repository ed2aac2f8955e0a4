/**
 * Shortest prefix that Anthropic caches, tokens, by how the model's name goes on after `claude-`; the first that fits counts.
 * Source: "Prompt caching" in the documentation of the Claude API, and LiteLLM's table of minimums,
 * checked on 2026-11-22. Shorter prompts are taken, but not cached.
 */
const anthropicMinimums: readonly (readonly [string, number])[] = [
  ['opus-5', 512],
  ['fable-5', 512],
  ['mythos-5', 512],
  ['mythos', 4096],
  ['opus-4-7', 4096],
  ['opus-4-6', 4096],
  ['opus-4-5', 4096],
  ['haiku-4-5', 4096],
  ['3-5-haiku', 2048],
  ['3-haiku', 2048],
  ['opus', 1024],
  ['sonnet', 1024],
  ['3', 1024],
];

/** What an unknown model of Anthropic is taken to need, tokens. */
export const usualMinimumTokens = 1024;

/** The shortest prefix that a model of Anthropic caches, tokens; `undefined` for a model that the list does not know. */
export function cacheMinimumOf(model: string): number | undefined {
  const name = model.toLowerCase().replaceAll('.', '-');
  const place = name.indexOf('claude-');
  if (place === -1) return undefined;
  const rest = name.slice(place + 'claude-'.length);
  return anthropicMinimums.find(([start]) => rest.startsWith(start))?.[1];
}
