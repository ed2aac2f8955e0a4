// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest';
import { commandContext } from '../../../cli/src/command-context.ts';
import { commandTable } from '../../../cli/src/command-table.ts';
import { fakeHost } from '../../../cli/src/test-support/fake-host.ts';
import { answers } from '../test-support/answers.ts';
import { shellWords } from '../test-support/shell-words.ts';
import { type Answers, type ShownPage, showPage } from '../test-support/show-page.tsx';

let page: ShownPage | undefined;
afterEach(() => page?.close());

/**
 * Reads a line with the command's own parser, without doing what it says.
 * @throws where it is no line of `ctx`.
 */
async function parse(line: string): Promise<void> {
  const [program, name, ...words] = shellWords(line);
  const entry = commandTable.find((one) => one.name === name);
  if (program !== 'ctx' || entry === undefined) throw new TypeError(`no command: ${line}`);
  // It finds the page beside itself, which cannot be done here; the tests in a browser start it like that.
  if (line === 'ctx up --demo' || line === 'ctx up') return;
  const context = commandContext({
    host: fakeHost({ cwd: '/' }),
    commands: commandTable,
    hasColor: false,
    finish: () => undefined,
  });
  const command = (await entry.load()).command(context);
  command.exitOverride().configureOutput({ writeErr: () => undefined });
  command.action(() => undefined);
  await command.parseAsync(words, { from: 'user' });
}

const nothing: Answers = {
  '/v1/sessions': { sessions: [] },
  '/v1/agents': { agents: [] },
  '/v1/agents/ada/items': { items: [] },
  '/v1/agents/ada/checkpoints': { checkpoints: [] },
  '/v1/stats': Response.json({}, { status: 401 }),
};

/** Views, and what the server says there. */
const views: readonly (readonly [string, Answers])[] = [
  ...[
    '/sessions',
    '/sessions/s',
    '/sessions/s/timeline',
    '/sessions/s/left',
    '/sessions/s/flush/2',
    '/sessions/s/compaction/0',
    '/sessions/s/request',
    '/sessions/s/request/1',
    '/sessions/s/outputs',
    '/sessions/s/outputs?q=-x',
    '/agents',
    '/agents/ada',
    '/agents/ada?tier=hot&kind=TASK&q=it%27s',
    '/agents/ada?tier=archived',
    '/agents/ada?item=item-1',
    '/agents/ada/checkpoints',
    '/outputs',
    '/outputs?q=a%20b',
    '/outputs/Read_1',
    '/outputs/Read_1?pattern=x',
    '/statistics',
  ].map((view) => [view, answers] as const),
  ...['/sessions', '/agents', '/agents/ada', '/agents/ada/checkpoints', '/statistics'].map(
    (view) => [view, { ...answers, ...nothing }] as const,
  ),
];

describe('the lines of ctx that the page shows', () => {
  const lines = new Set<string>();

  it.each(views)('are lines that ctx reads, at %s', async (view, told) => {
    page = await showPage(view, told);
    // Alone they name the program.
    const shown = page.texts('main code').filter((line) => line.startsWith('ctx '));
    for (const line of shown) await parse(line);
    for (const line of shown) lines.add(line);
  });

  it('are many', () => {
    expect(lines.size).toBeGreaterThan(25);
  });

  it('are refused where they are not', async () => {
    await expect(parse('ctx items ada')).rejects.toThrow();
    await expect(parse('ctx outputs --session s')).rejects.toThrow();
    await expect(parse('ctx look')).rejects.toThrow();
  });
});
