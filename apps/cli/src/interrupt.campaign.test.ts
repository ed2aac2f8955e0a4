import { afterAll, beforeAll, expect, test } from 'vitest';
import { interruptAt } from './test-support/interrupt-at.ts';
import { makeTestHome, type TestHome } from './test-support/run-bin.ts';
import { longSession, writeJsonFile } from './test-support/sample-transcripts.ts';

let home: TestHome;

beforeAll(() => {
  home = makeTestHome();
});
afterAll(() => {
  home.remove();
});

test('Ctrl-C in the middle of an import leaves a store that opens, and the next import goes on', async () => {
  for (let file = 0; file < 16; file += 1) {
    writeJsonFile(
      home.folder,
      `many-${String(file)}.json`,
      longSession(`many-${String(file)}`, 40, 200),
    );
  }
  const files = Array.from({ length: 16 }, (_, file) => `many-${String(file)}.json`);
  const store = ['--store', 'sqlite:many.db'];
  const cut = await home.run(['import', ...files, ...store], {
    env: { NODE_OPTIONS: `--import=${interruptAt(home.folder, { sign: 'many-', nth: 9 })}` },
  });
  expect([cut.exitCode, cut.stdout]).toEqual([130, '']);
  expect(cut.stderr).toContain('CTX_ABORTED');
  expect((await home.run(['sessions', ...store])).exitCode).toBe(0);
  const again = await home.run(['import', ...files, ...store, '--json']);
  const answer = JSON.parse(again.stdout) as { files: { status: string; outputs: number }[] };
  expect(answer.files.map(({ outputs }) => outputs)).toEqual(files.map(() => 40));
  expect(answer.files.some(({ status }) => status === 'imported')).toBe(true);
  const stats = await home.run(['stats', ...store, '--json']);
  expect(JSON.parse(stats.stdout)).toMatchObject({ sessions: 16, outputs: 640 });
});

test('Ctrl-C ends a command at once that computes for long, and leaves a store that opens', async () => {
  writeJsonFile(home.folder, 'to-fit.json', longSession('to-fit', 40, 2000));
  const store = ['--store', 'sqlite:fit.db'];
  const fit = ['fit', 'to-fit.json', '--budget', '3000', ...store];
  const env = {
    NODE_OPTIONS: `--import=${interruptAt(home.folder, { sign: 'to-fit', nth: 1 })}`,
  };
  for (const command of [fit, ['why', 'to-fit.json']]) {
    const cut = await home.run(command, { env });
    expect([cut.exitCode, cut.stdout]).toEqual([null, '']);
  }
  expect((await home.run(fit)).exitCode).toBe(0);
  expect((await home.run(['sessions', ...store])).exitCode).toBe(0);
});
