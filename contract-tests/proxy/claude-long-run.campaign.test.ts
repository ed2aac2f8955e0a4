import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRecord } from '@ctx/core/encoding';
import { describe, expect, it } from 'vitest';
import { blocksOf, problemOf } from '../../packages/proxy/src/test-support/judge-anthropic.ts';
import { anthropicApi } from './apis/anthropic.ts';
import { type Answer, type Body, isList } from './apis/scripted-api.ts';
import { clientsFolder } from './clients.ts';
import { type ClientPlace, clientPlaces } from './real-client.ts';
import type { ReceivedRequest } from './scripted-provider.ts';

const folder = clientsFolder('claude');
const open = clientPlaces();

/** The project that the agent works on: a package of this repository. */
const sources = fileURLToPath(new URL('../../packages/compactor/src/', import.meta.url));
const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
  .sort((a, b) => sizeOf(b) - sizeOf(a));

function sizeOf(file: string): number {
  return readFileSync(join(sources, file)).length;
}

/** Its tests, a line each as runners print them: each name is exported once. */
const check = `import { readdirSync, readFileSync } from 'node:fs';
const files = readdirSync('src', { recursive: true }).filter((file) => file.endsWith('.ts')).sort();
const say = (isGood, text) => console.log((isGood ? 'ok - ' : 'not ok - ') + text);
for (const file of files) {
  const text = readFileSync('src/' + file, 'utf8');
  for (const [line, name] of text.matchAll(/^export (?:async )?(?:function|const|class) (\\w+)/gm)) {
    say(text.split(line + '\\n').length <= 2, file + ' exports ' + name + ' once');
  }
}
`;

type Call = Extract<Answer, { readonly input: unknown }>;

function shell(command: string): Call {
  return { tool: 'Bash', input: { command, description: 'work' } };
}

/** Searches, reads a file, edits it, reads another one or the same again, and tests. */
function round(index: number): Call[] {
  const at = (place: number): string => files[place % files.length] ?? '';
  const [file, other] = [at(index * 3), at(index % 3 === 0 ? index * 3 : index * 3 + 1)];
  const word = (file.split('/').at(-1) ?? '').split(/[-.]/)[0] ?? '';
  const [first = ''] = readFileSync(join(sources, file), 'utf8').split('\n');
  const changed = `// Seen in round ${String(index)}.\n${first}`;
  const path = `PROJECT/src/${file}`;
  return [
    shell(`grep -rniw "${word}" src --include=*.ts | sort | head -60`),
    { tool: 'Read', input: { file_path: path } },
    {
      tool: 'Edit',
      input: { file_path: path, old_string: first, new_string: changed, replace_all: false },
    },
    { tool: 'Read', input: { file_path: `PROJECT/src/${other}` } },
    shell('node check.mjs'),
  ];
}

const rounds = Array.from({ length: 30 }, (_, index) => index);
const script = [...rounds.flatMap(round), { text: 'All rounds are done.' }];

const windowTokens = 200_000;

async function prepare(): Promise<ClientPlace> {
  const place = await open({
    command: 'claude',
    folder: folder ?? '',
    api: anthropicApi,
    judge: (body) => problemOf(body, new Set()),
    script,
    args: [
      ...['-p', 'Go through the project.', '--model', 'claude-sonnet-4-5'],
      '--dangerously-skip-permissions',
    ],
    env: {
      ANTHROPIC_API_KEY: 'dummy',
      IS_SANDBOX: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTO_COMPACT: '1',
      // It would end by itself where everything that is sent fills its window.
      CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE: '1000000',
    },
    pointAt: (url) => ({ ANTHROPIC_BASE_URL: url }),
  });
  cpSync(sources, join(place.project, 'src'), { recursive: true });
  writeFileSync(join(place.project, 'check.mjs'), check);
  return place;
}

/** What the input cost, in tokens at the full price: written to the cache at 1.25, read from it at 0.1. */
function priceOf(received: readonly ReceivedRequest[]): number {
  return received.reduce(
    (sum, one) => sum + (one.tokens - one.cached) * 1.25 + one.cached * 0.1,
    0,
  );
}

function largestOf({ provider }: ClientPlace): number {
  return Math.max(...provider.received.map(({ tokens }) => tokens));
}

function resultText({ content }: Body): string {
  const texts = blocksOf(content).map((block) => (isRecord(block) ? block['text'] : undefined));
  return texts.filter((text) => typeof text === 'string').join('\n');
}

/** The results in the last request, by call; the folder of the run taken out. */
function resultsOf({ provider, home }: ClientPlace): ReadonlyMap<string, string> {
  const messages = provider.received.at(-1)?.body['messages'];
  const blocks = (isList(messages) ? messages : [])
    .filter(isRecord)
    .flatMap(({ content }) => blocksOf(content))
    .filter(isRecord);
  const results = blocks.filter(({ type }) => type === 'tool_result');
  return new Map(
    results.map((result) => [
      String(result['tool_use_id']),
      resultText(result).replaceAll(home.folder, ''),
    ]),
  );
}

/** The addresses in requests, one message each. */
function addressesIn(received: readonly ReceivedRequest[]): string[] {
  const text = received.map(({ body }) => JSON.stringify(body['messages'])).join('\n');
  const outputs = text.match(/(?<=ctx read )ctx:\/\/outputs\/[\w-]+/g) ?? [];
  const messages = [...text.matchAll(/ctx read (p\d{15})\/([\d,-]+)/g)].flatMap(
    ([, session = '', places = '']) =>
      places.split(',').flatMap((range) => {
        const [from = 0, to = from] = range.split('-').map(Number);
        return Array.from({ length: to - from + 1 }, (_, n) => `${session}/${String(from + n)}`);
      }),
  );
  return [...new Set([...outputs, ...messages])];
}

function inputText(input: unknown): string {
  const names = isRecord(input) ? Object.keys(input).sort() : [];
  return JSON.stringify(input, names).replaceAll('PROJECT', '/project');
}

/** The input of the call that a message reads back as. */
function callIn(text: string): unknown {
  const [, json = 'null'] = /^\[message \d+, assistant\]\n\[call of \w+\]\n(.*)$/s.exec(text) ?? [];
  return inputText(JSON.parse(json));
}

describe.skipIf(folder === undefined)('Claude Code over 150 turns', () => {
  it('stays in the window through ctx run, costs 40 % less than direct, and every address reads back byte for byte', {
    timeout: 900_000,
  }, async () => {
    const direct = await prepare();
    const before = await direct.runDirect();
    const place = await prepare();
    const { home, project, provider } = place;
    const run = await place.runWithCtx();
    expect([run.exitCode, run.stdout]).toEqual([before.exitCode, before.stdout]);
    expect(run.stdout).toContain('All rounds are done.');
    for (const one of [direct.provider, provider]) {
      expect(one.refused).toEqual([]);
      expect(one.received).toHaveLength(script.length);
    }
    expect(largestOf(direct)).toBeGreaterThan(windowTokens);
    expect(largestOf(place)).toBeLessThan(windowTokens);
    const originals = resultsOf(direct);
    expect(originals.size).toBe(script.length - 1);
    expect([...originals.values()].filter((text) => text.startsWith('Exit code'))).toEqual([]);
    const read = new Set<string>();
    const addresses = addressesIn(provider.received);
    expect(addresses.length).toBeGreaterThan(50);
    for (const address of addresses) {
      const { exitCode, stdout } = await home.run(['read', address], { cwd: project });
      expect([address, exitCode]).toEqual([address, 0]);
      read.add(stdout.replaceAll(home.folder, ''));
    }
    const known = new Set(originals.values());
    const calls = script.flatMap((turn) => ('input' in turn ? [inputText(turn.input)] : []));
    for (const text of read) {
      if (!known.has(text)) expect(calls).toContain(callIn(text));
    }
    expect(priceOf(provider.received)).toBeLessThan(0.6 * priceOf(direct.provider.received));
  });
});
