import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { expect, test } from 'vitest';
import { sessionNotes } from './session-notes.ts';

const requests = ['Port the parser.', 'And the lexer.', 'Push it.'];

test.each([
  ['', 'The user asked, first and last:\n- Port the parser.\n- Push it.'],
  ['What came before.', 'The user asked last:\n- Push it.'],
])(
  'notes of a document with the summary %j call a request the first only if it was',
  async (summary, told) => {
    const store = await openStore(memoryBackend());
    const document = {
      session_id: 's',
      long_term_summary: summary,
      recent_history: requests.map((content) => ({ timestamp: 1, role: 'user', content })),
    };
    await store.sessions.import(JSON.stringify(document));
    expect(await sessionNotes(store, 's', { opening: 'Kept:' })).toBe(`Kept:\n${told}`);
    const known = await sessionNotes(store, 's', { opening: 'Kept:', requests });
    expect(known).toContain('first and last:');
  },
);

test('notes name every output of a session whose pointers take several pages', async () => {
  const store = await openStore(memoryBackend());
  const outputs = Array.from({ length: 1003 }, (_, at) => ({
    sessionId: 's',
    toolName: 'Bash',
    args: { command: `echo ${String(at)}` },
    result: String(at),
  }));
  const receipts = await store.outputs.saveAll(outputs);
  const text = await sessionNotes(store, 's', { opening: 'Kept:', maxTokens: 1_000_000 });
  expect(receipts.filter(({ pointer }) => !text.includes(`ctx://outputs/${pointer.id}`))).toEqual(
    [],
  );
});

test('a single line is counted in the singular', async () => {
  const store = await openStore(memoryBackend());
  const command = { toolName: 'Bash', args: { command: 'npm test' } };
  await store.outputs.save({ sessionId: 's', ...command, result: 'all of 12 tests passed' });
  await store.outputs.save({ sessionId: 's', ...command, result: 'one line\nand another' });
  const notes = await sessionNotes(store, 's', { opening: 'Kept:' });
  expect(notes).toMatch(/\(1 line, \d+ tokens\)/);
  expect(notes).toMatch(/\(2 lines, \d+ tokens\)/);
});
