/**
 * What is left of outputs of tools when they are shortened, and whether each key line still stands there word for word, beside llmtrim
 * and plain head and tail.
 * Run: `npm run bench -- compressors [--json] [--show NAME]`. Ends with 1 if ctx loses a key line, or needs over 1.15 × the tokens of
 * those that lose none and are shortest at each output.
 */
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { type Contender, contenders, countTokens } from './compressors/contenders.ts';
import { otherOutputs } from './compressors/other-outputs.ts';
import type { Sample } from './compressors/sample.ts';
import { testReports } from './compressors/test-reports.ts';

const { values: flags } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    show: { type: 'string' },
  },
});

/** What one contender made of one output. */
interface Result {
  readonly contender: string;
  readonly tokens: number;
  /** Key lines that are not there any more. */
  readonly lost: readonly string[];
  /** Looks like JSON, but does not parse. */
  readonly isBrokenJson: boolean;
}

/** Of an output that was JSON: whether what is shown looks like JSON, but is none. */
function isBroken(text: string, shown: string): boolean {
  if (!isJson(text) || !/^\s*(?:\{|\[\s*[[{"\d])/.test(shown)) return false;
  return !isJson(shown);
}

function isJson(text: string): boolean {
  return parses(text) || text.trimEnd().split('\n').every(parses);
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function judge({ name, shorten }: Contender, { text, keys }: Sample): Result {
  const shown = shorten(text);
  if (flags.show === name) process.stdout.write(`${shown}\n\n`);
  const plain = stripVTControlCharacters(shown);
  const lost = keys.filter((key) => !plain.includes(key));
  return { contender: name, tokens: countTokens(shown), lost, isBrokenJson: isBroken(text, shown) };
}

/** Least tokens of those that lose nothing. */
function bestOf(results: readonly Result[]): number {
  return Math.min(...results.filter(({ lost }) => lost.length === 0).map(({ tokens }) => tokens));
}

function cell({ tokens, lost, isBrokenJson }: Result, keys: number): string {
  const kept = lost.length === 0 ? '' : `, ${String(keys - lost.length)} of ${String(keys)}`;
  return `${String(tokens)}${kept}${isBrokenJson ? ', broken JSON' : ''}`;
}

const rows = [...testReports, ...otherOutputs].map((sample) => ({
  sample,
  results: contenders.map((contender) => judge(contender, sample)),
}));

if (flags.json) {
  const answer = rows.map(({ sample: { name, keys }, results }) => ({
    name,
    keys: keys.length,
    results,
  }));
  console.log(JSON.stringify(answer, null, 2));
} else {
  console.log('Tokens, and how many of the key lines are left where some are lost.\n');
  console.log(`| output | ${contenders.map(({ name }) => name).join(' | ')} |`);
  console.log(`| --- |${' --- |'.repeat(contenders.length)}`);
  for (const { sample, results } of rows) {
    const cells = results.map((result) => cell(result, sample.keys.length));
    console.log(`| ${sample.name} | ${cells.join(' | ')} |`);
  }
}

let own = 0;
let best = 0;
for (const { sample, results } of rows) {
  const found = results.find(({ contender }) => contender === 'ctx');
  const least = bestOf(results);
  own += found?.tokens ?? 0;
  best += least;
  if (found === undefined || (found.lost.length === 0 && !found.isBrokenJson)) continue;
  console.error(`${sample.name}: lost ${found.lost.slice(0, 3).join(' / ')}`);
  process.exitCode = 1;
}
const share = (own / best).toFixed(2);
console.error(
  `ctx: ${String(own)} tokens, ${share} × the ${String(best)} of the best that loses none at each output`,
);
if (own > best * 1.15) process.exitCode = 1;
