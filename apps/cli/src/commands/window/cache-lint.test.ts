import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CacheLintAnswer } from '../../schemas/measure.ts';
import { runOn } from '../../test-support/fake-host.ts';
import { longSession, makeFolder, writeJsonFile } from '../../test-support/sample-transcripts.ts';

const rules = (at: string): string => `It is ${at}.\n${'Be careful with files. '.repeat(400)}`;

const body = (at: string, steps: number) => ({
  model: 'claude-sonnet-4-5',
  system: rules(at),
  messages: Array.from({ length: 2 * steps + 1 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `step ${String(index)}: ${'many words '.repeat(300)}`,
  })),
});

function writeLines(folder: string, name: string, lines: readonly unknown[]): void {
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  writeFileSync(join(folder, name), `${texts.join('\n')}\n`);
}

async function lintJson(folder: string, ...args: string[]) {
  const { exitCode, stdout, stderr } = await runOn(
    { cwd: folder },
    'cache-lint',
    ...args,
    '--json',
  );
  return { exitCode, stderr, answer: JSON.parse(stdout) as CacheLintAnswer };
}

describe('ctx cache-lint', () => {
  it('says where the prefix broke, why, and what to do', async () => {
    const folder = makeFolder();
    writeLines(folder, 'log.jsonl', [body('10:00:01', 1), body('10:00:31', 2)]);
    const { exitCode, stdout } = await runOn({ cwd: folder }, 'cache-lint', 'log.jsonl');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('2 requests');
    expect(stdout).toMatch(/^volatile +1 /m);
    expect(stdout).toMatch(/^log\.jsonl:2 +volatile: timestamp +[\d,]+ +[\d,]+ +system /m);
    expect(stdout).toContain('"It is 10:00:01.');
    expect(stdout).toContain('volatile: Move times, ids and counters from the prefix');
  });

  it('answers with JSON, and fails a check where more is wasted than allowed', async () => {
    const folder = makeFolder();
    writeLines(folder, 'log.jsonl', [body('10:00:01', 1), body('10:00:31', 2)]);
    const strict = await lintJson(folder, 'log.jsonl', '--max-waste', '5');
    expect(strict.exitCode).toBe(1);
    expect(strict.stderr).toContain('is over the limit of 5.0 %');
    expect(strict.answer).toMatchObject({ isWithinLimit: false, hasTimes: false });
    expect(strict.answer.wasteShare).toBeGreaterThan(0.05);
    const [, second] = strict.answer.requests;
    expect(second).toMatchObject({ file: 'log.jsonl', line: 2, follows: 0 });
    expect(second?.findings[0]).toMatchObject({ cause: 'volatile', path: 'system' });
    const lax = await lintJson(folder, 'log.jsonl', '--max-waste', '90%');
    expect(lax).toMatchObject({ exitCode: 0, answer: { isWithinLimit: true } });
  });

  it('compares two documents, and takes bodies out of what a proxy wrote around them', async () => {
    const folder = makeFolder();
    writeJsonFile(folder, 'a.json', body('ten', 1));
    const wrapped = { timestamp: '2026-01-01T10:00:00Z', request: { body: body('noon', 1) } };
    writeFileSync(join(folder, 'b.json'), JSON.stringify([wrapped], undefined, 2));
    const { answer } = await lintJson(folder, 'a.json', 'b.json');
    expect(answer.requests.map(({ file }) => file)).toEqual(['a.json', 'b.json']);
    expect(answer.causes.map(({ cause }) => cause)).toEqual(['system']);
    expect(answer.hasTimes).toBe(true);
  });

  it('reads what a proxy logs of Gemini: the model in the address, a sub-agent by its tools', async () => {
    const folder = makeFolder();
    const logged = (prompt: string, tools: readonly string[], said: readonly string[]) => ({
      url: '/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse',
      time: 1_790_000_000,
      request: {
        contents: [prompt, ...said].map((text, index) => ({
          role: index % 2 === 0 ? 'user' : 'model',
          parts: [{ text: `${text} ${'many words '.repeat(300)}` }],
        })),
        systemInstruction: { parts: [{ text: rules('ten') }] },
        tools: [{ functionDeclarations: tools.map((name) => ({ name })) }],
      },
    });
    writeLines(folder, 'log.jsonl', [
      logged('build', ['read', 'write'], []),
      logged('find', ['read'], []),
      logged('build', ['read', 'write'], ['done', 'go on']),
    ]);
    const { answer } = await lintJson(folder, 'log.jsonl');
    expect(answer.causes).toEqual([]);
    expect(answer.requests.map(({ lane, follows }) => [lane, follows])).toEqual([
      ['gemini-2.5-pro', undefined],
      ['gemini-2.5-pro', undefined],
      ['gemini-2.5-pro', 0],
    ]);
  });

  it('keeps agents apart by the headers that name them', async () => {
    const folder = makeFolder();
    const by = (agent: string | undefined, at: string) => ({
      headers: { 'X-Claude-Code-Agent-Id': agent },
      body: body(at, 1),
    });
    writeLines(folder, 'log.jsonl', [by(undefined, 'ten'), by('a1', 'noon')]);
    expect((await lintJson(folder, 'log.jsonl')).answer.causes).toEqual([]);
    writeLines(folder, 'log.jsonl', [by('a1', 'ten'), by('a1', 'noon')]);
    const { answer } = await lintJson(folder, 'log.jsonl');
    expect(answer.causes.map(({ cause }) => cause)).toEqual(['system']);
  });

  it('says which requests hold only what is new', async () => {
    const folder = makeFolder();
    const frame = (id: string) => ({
      type: 'response.create',
      model: 'gpt-5.2-codex',
      previous_response_id: id,
      input: [{ role: 'user', content: 'go on' }],
    });
    writeLines(folder, 'log.jsonl', [body('ten', 1), frame('resp_1')]);
    const mixed = await runOn({ cwd: folder }, 'cache-lint', 'log.jsonl');
    expect(mixed.stdout).toContain('1 of 2 requests hold only what is new');
    expect(mixed.stdout).toContain('Every prefix that is in the log was kept');
    writeLines(folder, 'log.jsonl', [frame('resp_1')]);
    const { answer } = await lintJson(folder, 'log.jsonl');
    expect(answer).toMatchObject({ partialRequests: 1, inputTokens: 0, wasteShare: 0 });
    expect(answer.requests[0]).toMatchObject({ isPartial: true });
    const alone = await runOn({ cwd: folder }, 'cache-lint', 'log.jsonl');
    expect(alone.stdout).toContain('Nothing can be judged.');
  });

  it('reads what ctx replay writes, with its times', async () => {
    const folder = makeFolder();
    writeJsonFile(folder, 'long.json', longSession('long', 30));
    writeJsonFile(folder, 'times.json', { long: Array.from({ length: 400 }, (_, at) => at * 400) });
    const replayed = await runOn(
      { cwd: folder },
      ...['replay', 'long.json', '--policy', 'none', '--times', 'times.json'],
      ...['--requests-out', 'requests'],
    );
    expect(replayed.exitCode).toBe(0);
    const { answer } = await lintJson(folder, 'requests/long.none.jsonl');
    expect(answer.requests.length).toBeGreaterThan(1);
    expect(answer.hasTimes).toBe(true);
    expect(answer.causes.map(({ cause }) => cause)).toContain('lifetime');
    expect(answer.causes.map(({ cause }) => cause)).not.toContain('messages');
  });

  it.each<readonly [string, string[], number, string]>([
    ['{"messages":[]}\nbroken', [], 2, 'log.jsonl:2 is no JSON'],
    ['broken', [], 2, 'neither JSON'],
    ['{"messages":[', [], 2, 'log.jsonl is cut off at byte 13'],
    ['{\n"messages":[{"content":"ä [}', [], 2, 'log.jsonl is cut off at byte 31'],
    ['{"messages":[]}\n{"messages":["x', [], 2, 'log.jsonl:2 is cut off at byte 31'],
    ['{"messages":[]}\n{"messages":[\n', [], 2, 'log.jsonl:2 is cut off at byte 29'],
    ['{"prompt":"x"}', [], 2, 'log.jsonl:1 is no request: a request is a JSON object'],
    ['{"type":"user"}', [], 2, '`ctx replay log.jsonl --requests-out requests` makes requests'],
    ['[\n"x"\n]', [], 2, 'log.jsonl is no request'],
    ['', [], 2, 'no requests in log.jsonl'],
    ['{"messages":[]}', ['--max-waste', 'much'], 2, '0…100'],
    ['{"messages":[]}', ['--price', 'free'], 2, 'one of anthropic-5m'],
  ])('refuses %j %j', async (text, args, code, message) => {
    const folder = makeFolder();
    writeFileSync(join(folder, 'log.jsonl'), text);
    const { exitCode, stderr } = await runOn({ cwd: folder }, 'cache-lint', 'log.jsonl', ...args);
    expect(exitCode).toBe(code);
    expect(stderr).toContain(message);
  });

  it('says where a log of many megabytes is cut off', async () => {
    const folder = makeFolder();
    const text = `{"messages":["\\"${'x'.repeat(30_000_000)}`;
    writeFileSync(join(folder, 'log.jsonl'), text);
    const { exitCode, stderr } = await runOn({ cwd: folder }, 'cache-lint', 'log.jsonl');
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`log.jsonl is cut off at byte ${String(text.length)}`);
  });

  it('says that all is well', async () => {
    const folder = makeFolder();
    writeLines(folder, 'log.jsonl', [body('ten', 1), body('ten', 2)]);
    const { exitCode, stdout } = await runOn(
      { cwd: folder },
      ...['cache-lint', 'log.jsonl', '--max-waste', '0', '--price', 'anthropic-1h'],
    );
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Every prefix was kept');
    expect(stdout).toContain('prices anthropic-1h');
  });
});
