import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { groupTitles } from './command-names.ts';
import { commandTable } from './command-table.ts';
import { runOn } from './test-support/fake-host.ts';
import {
  anthropicSession,
  makeFolder,
  sourceLines,
  writeJsonFile,
} from './test-support/sample-transcripts.ts';

const root = new URL('../../../', import.meta.url);
const read = (place: string): string => readFileSync(new URL(place, root), 'utf8');

/** The arguments of each line of a README's shell blocks that calls `ctx`. */
function commandsOf(readme: string): string[][] {
  const blocks = [...readme.matchAll(/^```sh\n(.*?)^```/gms)].map(([, lines = '']) => lines);
  return blocks
    .join('\n')
    .split('\n')
    .flatMap((line) => /^(?:npm run ctx --|ctx) (.*?)(?: +#.*| > .*)?$/.exec(line)?.[1] ?? [])
    .map((words) => (words.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', '')));
}

/** The output of a command that must succeed. */
async function outputOf(cwd: string, argv: readonly string[]): Promise<string> {
  const run = await runOn({ cwd }, ...argv);
  expect([argv, run.exitCode, run.exitCode === 0 ? '' : run.stderr]).toEqual([argv, 0, '']);
  return run.stdout;
}

async function idOfOutput(cwd: string): Promise<string> {
  const { outputs } = JSON.parse(await outputOf(cwd, ['outputs', '--json'])) as {
    readonly outputs: readonly { readonly id: string }[];
  };
  return outputs[0]?.id ?? '';
}

describe('in an empty home with one session of Claude Code', () => {
  it.each(['README.md', 'apps/cli/README.md'])(
    'runs each command of %s as it stands',
    async (place) => {
      const cwd = makeFolder();
      const projects = join(cwd, 'home/.claude/projects');
      mkdirSync(projects, { recursive: true });
      const log = `${sourceLines(90)}\nerror: connection refused`;
      writeJsonFile(projects, 'one.json', anthropicSession('one', log));
      // The demo takes longer: the rehearsal of the release runs it.
      const commands = commandsOf(read(place)).filter((argv) => !argv.includes('--demo'));
      expect(commands.length).toBeGreaterThanOrEqual(5);
      let output = '';
      for (const argv of commands) {
        const meant = argv.map((word) =>
          word
            .replace('~/', `${cwd}/home/`)
            .replace(/<id>|\bID\b/, output)
            .replace('<session>', 'one'),
        );
        const text = await outputOf(cwd, meant);
        if (argv[0] === 'import') output = await idOfOutput(cwd);
        if (argv[0] === 'search') expect(text).toContain('connection refused');
      }
    },
  );
});

it('shows the table that npm start prints, as it stands', async () => {
  const [, shown] = /^npm start .*?^```\n\n```\n(.*?)^```$/ms.exec(read('README.md')) ?? [];
  const env = { npm_lifecycle_event: 'start' };
  const { stdout } = await runOn({ cwd: makeFolder(), env }, 'replay', '--demo');
  expect(shown).toBe(stdout);
});

it('lists commands in the groups of the help', () => {
  const rows = [...read('apps/cli/README.md').matchAll(/^\| ([a-z ]+) \| (`[a-z].*`) \|$/gm)];
  const told = rows.map(([, title, names]) => [title, names]);
  const meant = Object.entries(groupTitles).map(([group, title]) => {
    const names = commandTable.filter((entry) => entry.group === group && entry.as === undefined);
    return [title.toLowerCase(), names.map(({ name }) => `\`${name}\``).join(', ')];
  });
  expect(told).toEqual(meant);
});
