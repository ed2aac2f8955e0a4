import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCtxError } from '@ctx/core';
import { type ContextStore, openStore } from '@ctx/store';
import { expect, test } from 'vitest';
import { backendOf } from '../store/open-store-url.ts';
import { runOn } from '../test-support/fake-host.ts';
import { makeFolder } from '../test-support/sample-transcripts.ts';

type Scheme = 'sqlite' | 'fs';

async function open(scheme: Scheme, path: string): Promise<ContextStore> {
  return openStore(await backendOf({ scheme, path, text: `${scheme}:${path}` }));
}

/** The files that hold a text, below a folder or as the file itself. */
function filesWith(path: string, text: string): string[] {
  const files = path.endsWith('.db')
    ? [path]
    : readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.parentPath.includes('.index'))
        .map(({ parentPath, name }) => join(parentPath, name));
  return files.filter((file) => readFileSync(file).includes(text));
}

/** Changes one letter of each place where a text stands in the files of records. */
function damage(path: string, text: string): void {
  for (const file of filesWith(path, text)) {
    const bytes = readFileSync(file);
    for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1))
      bytes[at + 2] = (bytes[at + 2] ?? 0) ^ 1;
    writeFileSync(file, bytes);
  }
}

/** Three items, three outputs and nine events, of which one each is damaged. */
async function damaged(scheme: Scheme): Promise<{ cwd: string; path: string }> {
  const cwd = makeFolder();
  const path = join(cwd, scheme === 'fs' ? 'data' : 'ctx.db');
  const store = await open(scheme, path);
  for (const name of ['first', 'second', 'third']) {
    await store.items.save({ agentId: 'a', id: name, kind: 'NOTE', content: `${name} Xitem text` });
    const output = { sessionId: 's', toolName: 'Bash', args: {}, result: `${name} Xoutput text` };
    await store.outputs.save(output);
  }
  await store.close();
  damage(path, 'second Xitem');
  damage(path, 'second Xoutput');
  return { cwd, path };
}

test.each(['sqlite', 'fs'] as const)(
  'a migration from a damaged %s store copies the rest, names what it could not copy and exits 1, each time',
  async (scheme) => {
    const { cwd, path } = await damaged(scheme);
    const target = scheme === 'fs' ? 'sqlite' : 'fs';
    const to = join(cwd, target === 'fs' ? 'copy' : 'copy.db');
    const argv = ['migrate', '--from', `${scheme}:${path}`, '--to', `${target}:${to}`, '--json'];
    for (let time = 0; time < 2; time += 1) {
      const { exitCode, stdout, stderr } = await runOn({ cwd, isTty: false }, ...argv, '--verify');
      expect([exitCode, stderr]).toEqual([1, '']);
      const { unreadable, differences } = JSON.parse(stdout) as Record<string, string[]>;
      expect(differences).toEqual([]);
      expect(unreadable).toHaveLength(2);
      expect(unreadable?.join('\n')).toMatch(/items .*"second".*|items \["default","a","second"\]/);
      expect(unreadable?.join('\n')).toMatch(/outputs \["default","s",/);
    }
    const told = await runOn({ cwd, isTty: false }, ...argv.filter((one) => one !== '--json'));
    expect([told.exitCode, told.stderr.match(/^not copied: /gm)?.length]).toEqual([1, 2]);
    const copy = await open(target, to);
    expect((await copy.items.list('a')).entries.map(({ id }) => id).sort()).toEqual([
      'first',
      'third',
    ]);
    expect(await copy.outputs.tally()).toMatchObject({ outputs: 2 });
    await copy.close();
  },
);

test.each(['sqlite', 'fs'] as const)(
  'a list of a damaged %s store gives the rest, and reading the damaged record is refused',
  async (scheme) => {
    const { path } = await damaged(scheme);
    const store = await open(scheme, path);
    const page = await store.items.list('a');
    expect(page.entries.map(({ id }) => id).sort()).toEqual(['first', 'third']);
    expect(page.unreadable?.join()).toMatch(/items .*"second"/);
    const refused = await store.items.get('a', 'second').catch((error: unknown) => error);
    expect(isCtxError(refused, 'CTX_STORE_CORRUPT')).toBe(true);
    await store.close();
    rmSync(path, { recursive: true, force: true });
  },
);
