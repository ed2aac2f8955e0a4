import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { at, startServer } from './test-support/start-server.ts';

const run = promisify(execFile);
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** The commands of the README, in its order. */
const commands = readme
  .split('```sh curl\n')
  .slice(1)
  .map((part) => part.slice(0, part.indexOf('\n```')));

const hasCurl = (process.env['PATH'] ?? '')
  .split(delimiter)
  .some((folder) => existsSync(join(folder, 'curl')));

describe('the README', () => {
  it('has the four routes of the seed and prepare', () => {
    expect(commands).toHaveLength(5);
  });

  it.skipIf(!hasCurl)('shows commands that work as they stand (needs curl)', async () => {
    const server = await startServer();
    const env = { ...process.env, CTX_URL: server.url, CTX_KEY: await server.key('write') };
    const answers: unknown[] = [];
    for (const command of commands) {
      const { stdout } = await run('sh', ['-c', command], { env });
      answers.push(JSON.parse(stdout));
    }
    const [saved, listed, flash, stats, prepared] = answers;
    expect(at(saved, 'tier')).toBe('HOT');
    expect(at(listed, 'items.0')).toMatchObject({
      id: at(saved, 'item_id'),
      type: 'TASK',
      content: 'Port the parser',
      tier: 'HOT',
    });
    expect(flash).toMatchObject({ items_archived: 0, hot_items_retained: 1 });
    expect(at(flash, 'checkpoint_id')).toMatch(/^[\w-]{8,}$/);
    expect(stats).toMatchObject({ total_items: 1, hot_count: 1, total_tokens: 3, hot_tokens: 3 });
    expect(at(prepared, 'messages.0.content')).toBe('List the files');
    await server.stop();
  });
});
