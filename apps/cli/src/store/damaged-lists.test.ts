import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '@ctx/server';
import { openStore } from '@ctx/store';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { runOn } from '../test-support/fake-host.ts';
import { makeFolder } from '../test-support/sample-transcripts.ts';
import { backendOf } from './open-store-url.ts';

/** Damages the body of the record of a file store that holds these words. */
function damageFile(folder: string, word: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    if (!name.includes('items') || !name.endsWith('.json') || !statSync(path).isFile()) continue;
    const text = readFileSync(path, 'utf8');
    if (text.includes(word)) writeFileSync(path, text.replace(word, 'w'));
  }
}

function damageRow(path: string, word: string): void {
  const database = new DatabaseSync(path);
  database.exec(
    `UPDATE items SET _body = replace(_body, '${word}', 'w') WHERE _body LIKE '%${word}%'`,
  );
  database.close();
}

test.each(['fs', 'sqlite'] as const)(
  'lists of the command and of the server leave a damaged record of a %s store out and name it, with its code',
  async (scheme) => {
    const cwd = makeFolder();
    const path = join(cwd, scheme === 'fs' ? 'data' : 'ctx.db');
    const url = { scheme, path, text: `${scheme}:${path}` };
    const store = await openStore(await backendOf(url));
    const words = ['good', 'walrus'];
    const saved = await store.items.saveMany(
      words.map((word) => ({ agentId: 'main', kind: 'TASK', content: `the ${word} one` })),
    );
    const ids = saved.map(({ item }) => item.id);
    await store.close();
    (scheme === 'fs' ? damageFile : damageRow)(path, 'walrus');
    const list = (...more: string[]) =>
      runOn({ cwd, isTty: false }, 'items', '--agent', 'main', '--store', url.text, ...more);

    const told = await list();
    expect(told.exitCode).toBe(0);
    expect(told.stdout).toContain('the good one');
    expect(told.stderr).toMatch(/^not shown: .* \(CTX_STORE_CORRUPT\)$/m);
    expect(told.stderr).toContain(ids[1]);

    const answer = JSON.parse((await list('--json')).stdout) as { unreadable: string[] };
    expect(answer.unreadable.join('\n')).toContain(ids[1]);

    const server = await serve({ backend: await backendOf(url), access: 'none', port: 0 });
    onTestFinished(() => server.stop());
    for (const route of ['/v1/agents/main/items', '/api/agents/main/context']) {
      const ask = () => fetch(`${server.url}${route}`);
      let response = await ask();
      // A busy machine says 503 at first.
      while (response.status === 503) response = await ask();
      const answered = JSON.parse(await response.text()) as { items: unknown; unreadable: unknown };
      expect(answered.items).toMatchObject([{ content: 'the good one' }]);
      expect(answered.unreadable).toContainEqual({
        code: 'CTX_STORE_CORRUPT',
        detail: expect.stringContaining(ids[1] ?? '') as string,
      });
    }
  },
);
