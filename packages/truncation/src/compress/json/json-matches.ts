import { isRecord } from '@ctx/core/encoding';
import type { CompressInput, Compressor } from '../compressor.ts';
import { matchList } from '../match-list.ts';

/** An event that `rg --json` prints of a file. */
const event = /^\{"type":"(?:begin|match|context|end|summary)","data":\{/;

function at(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (inner, name) => (isRecord(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
    value,
  );
}

/** The line of a list that an event stands for; none for what only begins or ends a file. */
function lineOf(json: string): string[] {
  if (!json.startsWith('{"type":"match"')) return [];
  const { data } = JSON.parse(json) as { readonly data: unknown };
  const [path, text] = [at(data, 'path', 'text'), at(data, 'lines', 'text')];
  if (typeof path !== 'string' || typeof text !== 'string') return [];
  return [`${path}:${String(at(data, 'line_number'))}:${text.trimEnd().replaceAll('\n', ' ')}`];
}

function listOf(input: CompressInput): CompressInput {
  return { ...input, lines: input.lines.flatMap(lineOf) };
}

/** What `rg --json` prints: the list of matches that `rg` prints without it. */
export const jsonMatches: Compressor = {
  kind: 'list of matches',
  matches: ({ lines }) =>
    lines.length >= 10 && lines.every((line) => line === '' || event.test(line)),
  compress: (input) => matchList.compress(listOf(input)),
};
