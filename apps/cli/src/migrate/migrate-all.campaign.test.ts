import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTestHome, type TestHome } from '../test-support/run-bin.ts';

const root =
  process.env['CTX_SHARED_DATA'] ??
  join(fileURLToPath(new URL('../../../..', import.meta.url)), '../shared/data');
const folders = ['transcripts', 'native/claude-code', 'native/pi', 'native/tau-bench'].map((name) =>
  join(root, name),
);
const server = process.env['CTX_TEST_POSTGRES'] ?? '';
const missing = [
  ...(folders.every((folder) => existsSync(folder)) ? [] : ['no recorded sessions']),
  ...(server === '' ? ['no PostgreSQL: give one as CTX_TEST_POSTGRES'] : []),
];
let home: TestHome;

beforeAll(() => {
  home = makeTestHome();
});
// The store in files is very many files.
afterAll(() => {
  home.remove();
}, 120_000);

interface Answer {
  readonly copied: number;
  readonly unchanged: number;
  readonly verified: number;
  readonly differences: readonly string[];
}

interface Imported {
  readonly files: readonly { readonly session?: string }[];
}

async function answerOf<Kind>(argv: readonly string[]): Promise<Kind> {
  const ended = await home.run([...argv, '--json']);
  expect([argv, ended.exitCode, ended.exitCode === 0 ? '' : ended.stderr]).toEqual([argv, 0, '']);
  return JSON.parse(ended.stdout) as Kind;
}

describe.skipIf(missing.length > 0)(
  `all recorded sessions${missing.length === 0 ? '' : ` (${missing.join('; ')})`}`,
  () => {
    it('are the same after a way from SQLite over PostgreSQL and files back to SQLite', async () => {
      const imported = await answerOf<Imported>([
        ...['import', ...folders, '--store', 'sqlite:all'],
      ]);
      const sessions = new Set(imported.files.flatMap(({ session }) => session ?? []));
      expect(sessions.size).toBeGreaterThan(90);
      const url = new URL(server);
      url.searchParams.set('schema', `all_${String(process.pid)}`);
      const way = ['sqlite:all', url.href, 'fs:files', 'sqlite:back'];
      const verified: number[] = [];
      for (const [at, to] of way.slice(1).entries()) {
        const from = way[at] ?? '';
        const answer = await answerOf<Answer>(['migrate', '--from', from, '--to', to, '--verify']);
        expect(answer.differences).toEqual([]);
        verified.push(answer.verified);
      }
      expect(new Set(verified).size).toBe(1);
      const last = await answerOf<Answer>([
        ...['migrate', '--from', 'sqlite:all', '--to', 'sqlite:back', '--verify'],
      ]);
      expect(last).toMatchObject({ copied: 0, unchanged: verified[0], differences: [] });
    }, 900_000);
  },
);
