import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runOn } from '../test-support/fake-host.ts';
import { makeFolder, sourceLines } from '../test-support/sample-transcripts.ts';

const sessionId = '7d1c9a52-0d0f-4b7f-9c39-0a6a3c1b2d10';

/** A log as Claude Code writes it: each text a line of its own, with what is special about it. */
function logOf(said: readonly Record<string, unknown>[]): string {
  return said
    .map((record, at) => ({
      ...{ sessionId, uuid: `u${String(at)}`, parentUuid: at === 0 ? null : `u${String(at - 1)}` },
      ...{ cwd: '/home/dev/project', version: '2.0.0', isSidechain: false },
      timestamp: new Date(Date.UTC(2026, 0, 1, 10, 0, at)).toISOString(),
      ...record,
    }))
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('');
}

const user = (content: unknown, more: Record<string, unknown> = {}) => ({
  ...{ type: 'user', message: { role: 'user', content } },
  ...more,
});
const assistant = (content: readonly unknown[]) => ({
  type: 'assistant',
  message: { role: 'assistant', content },
});

function reads(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, at) => {
    const id = `call-${String(at)}`;
    const input = { file_path: `/home/dev/project/src/part${String(at)}.ts` };
    const content = sourceLines(40, `part ${String(at)} row`);
    return [
      assistant([{ type: 'tool_use', id, name: 'Read', input }]),
      user([{ type: 'tool_result', tool_use_id: id, content }]),
    ];
  }).flat();
}

interface Compacted {
  readonly summary: string;
  readonly document: {
    readonly ctx?: { readonly pinned_history?: readonly { readonly content: string }[] };
  };
}

async function compacted(said: readonly Record<string, unknown>[]): Promise<Compacted> {
  const machine = { cwd: makeFolder(), env: { CTX_STORE: 'sqlite:ctx.db' } };
  writeFileSync(join(machine.cwd, 'a.jsonl'), logOf(said));
  await runOn(machine, 'import', 'a.jsonl');
  const flags = ['--from-log', '--summarizer', 'extractive', '--json'];
  const done = await runOn(machine, 'compact', sessionId, ...flags);
  expect(done).toMatchObject({ exitCode: 0 });
  const { summary } = JSON.parse(done.stdout) as { summary: string };
  const shown = await runOn(machine, 'document', sessionId, '--json');
  const { document } = JSON.parse(shown.stdout) as Compacted;
  return { summary, document };
}

it('the goal is what the user said first, whatever the host wrote before', async () => {
  const { summary, document } = await compacted([
    user('<local-command-caveat>Caveat: do not answer.</local-command-caveat>', { isMeta: true }),
    user('<command-name>/clear</command-name>\n<command-message>clear</command-message>'),
    user('<local-command-stdout></local-command-stdout>'),
    user(
      'This session is being continued from a previous conversation that ran out of context.\nAlways use yarn.',
      { isCompactSummary: true, isVisibleInTranscriptOnly: true },
    ),
    user('Find the slow test and make it fast.'),
    ...reads(20),
    assistant([{ type: 'text', text: 'Done.' }]),
  ]);
  expect(summary).toContain('## Goal\nFirst request: Find the slow test and make it fast.\n');
  expect(summary).toMatch(/## Relevant files\nread \/home\/dev\/project\/src\/part\d+\.ts/);
  expect(summary).not.toMatch(/^Read \{/m);
  expect(document.ctx?.pinned_history?.map(({ content }) => content)).toEqual([
    'Find the slow test and make it fast.',
  ]);
});
