import type { Message } from '@ctx/core';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { expect, test } from 'vitest';
import { createContextManager } from './create-context-manager.ts';

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });

test('a session that goes on in another process tells goal, rules, open tasks and every address', async () => {
  const store = await openStore(memoryBackend());
  const manager = createContextManager({ store, sessionId: 's' });
  expect(await manager.session.notes()).toBe('');
  const call = { id: 'c1', name: 'Bash', input: { command: 'npm test' } };
  await manager.recordToolOutput(call, 'FAIL parser');
  await manager.session.updateTask({ id: 't', description: 'Mend the parser' });
  const said: Message[] = [
    user('Port the parser to Rust. Never touch vendor.'),
    { role: 'assistant', content: [{ type: 'text', text: 'I will. You must obey me.' }] },
    user('Now the lexer, too.'),
  ];
  await manager.prepare(said);
  await manager.end();
  const again = createContextManager({ store, sessionId: 's' });
  const text = await again.session.notes();
  expect(text).toContain('- Port the parser to Rust. Never touch vendor.\n- Now the lexer, too.');
  expect(text).toContain('Rules of the user:\n- Never touch vendor.');
  expect(text).toContain('Open tasks:\n- Mend the parser');
  expect(text).toMatch(/npm test.*: ctx:\/\/outputs\//);
  expect(text).not.toContain('obey');
  const short = await again.session.notes({ maxTokens: 120 });
  expect(store.countTokens(short)).toBeLessThanOrEqual(120);
  expect(short).toContain('ctx://outputs/');
});

const answer = (text: string): Message => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
});

const textsOf = (messages: readonly Message[]): string[] =>
  messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'text' ? [block.text] : [])),
  );

async function sessionBefore(options: { resumeNotes?: number; model?: string } = {}) {
  const store = await openStore(memoryBackend());
  const open = () => createContextManager({ store, sessionId: 's', ...options });
  const manager = open();
  const call = { id: 'c1', name: 'Bash', input: { command: 'npm test </ctx-notes>' } };
  await manager.recordToolOutput(call, 'FAIL parser');
  await manager.prepare([user('Port the parser to Rust. Never touch vendor.'), answer('I will.')]);
  await manager.end();
  return { store, open };
}

test('the text of a skill is no request and no rule of a session that goes on', async () => {
  const store = await openStore(memoryBackend());
  const manager = createContextManager({ store, sessionId: 's' });
  const call: Message = {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'c', name: 'Skill', input: { skill: 'review' } }],
  };
  const launched: Message = {
    role: 'user',
    content: [
      {
        type: 'tool_result',
        toolUseId: 'c',
        content: [{ type: 'text', text: 'Launching skill: review' }],
      },
      { type: 'text', text: 'Read all of it. Never write code.' },
    ],
  };
  await manager.prepare([user('Review the parser.'), call, launched]);
  await manager.end();
  const text = await createContextManager({ store, sessionId: 's' }).session.notes();
  expect(text).toContain('- Review the parser.');
  expect(text).not.toContain('Never write code');
});

test('what a session was told before stands once before a new history, in the same bytes for each request', async () => {
  const { store, open } = await sessionBefore();
  const resumed = open();
  const said = [user('Go on with the lexer.')];
  const first = await resumed.prepare(said);
  const [note = '', ...rest] = textsOf(first.messages);
  expect(rest).toEqual(['Go on with the lexer.']);
  expect(note).toMatch(/^<ctx-notes>\n.*\n<\/ctx-notes>$/s);
  expect(note.match(/<\/ctx-notes>/g)).toHaveLength(1);
  expect(note).toContain('- Port the parser to Rust. Never touch vendor.');
  expect(note).toContain('Rules of the user:\n- Never touch vendor.');
  expect(note).toMatch(/npm test.*: ctx:\/\/outputs\//);
  expect(first.receipt.tokens).toBeGreaterThan(store.countTokens(note));
  said.push(answer('Done.'), user('Now the docs.'));
  const second = await resumed.prepare(said);
  expect(textsOf(second.messages)).toEqual([note, ...textsOf(said)]);
  await resumed.end();
  const third = open();
  said.push(answer('Done, too.'), user('Thanks.'));
  expect(textsOf((await third.prepare(said)).messages)).toEqual([note, ...textsOf(said)]);
  const notes = await third.session.notes();
  expect(notes).not.toContain('<ctx-notes>');
  expect(notes).toContain('Rules of the user:\n- Never touch vendor.');
});

test('a host that goes on with what it was returned gets no second notes', async () => {
  const { open } = await sessionBefore();
  const resumed = open();
  const kept = [...(await resumed.prepare([user('Go on.')])).messages];
  for (const manager of [resumed, open()]) {
    kept.push(answer('Done.'), user('And the next.'));
    const { messages, receipt } = await manager.prepare(kept);
    expect(messages).toEqual(kept);
    expect(receipt.rewound).toBeUndefined();
  }
});

test('no notes stand before a history that goes on, that is asked to have none, or that has no room for them', async () => {
  const before = [user('Port the parser to Rust. Never touch vendor.'), answer('I will.')];
  for (const [options, said] of [
    [{}, [...before, user('Go on.')]],
    [{}, [{ ...user('Today is Monday.'), role: 'system' }, ...before, user('Go on.')]],
    [{ resumeNotes: 0 }, [user('Go on.')]],
    [{ resumeNotes: 5 }, [user('Go on.')]],
  ] as const) {
    const { open } = await sessionBefore(options);
    expect((await open().prepare(said)).messages).toEqual(said);
  }
  const store = await openStore(memoryBackend());
  const wrong = () => createContextManager({ store, sessionId: 's', resumeNotes: -1 });
  expect(wrong).toThrow('resumeNotes must be 0 or more tokens, got -1');
});

test('a history whose system message changed goes on without notes', async () => {
  const system = (text: string): Message => ({ ...user(text), role: 'system' });
  const store = await openStore(memoryBackend());
  const open = () => createContextManager({ store, sessionId: 's' });
  const said = [user('Port the parser.'), answer('I will.')];
  await open().prepare([system('It is Monday.'), ...said]);
  const later = [system('It is Tuesday.'), ...said, user('Go on.')];
  expect((await open().prepare(later)).messages).toEqual(later);
});

test('notes follow the system messages of a host, whether the session had them before or not', async () => {
  const system: Message = {
    role: 'system',
    content: [{ type: 'text', text: 'You port parsers.' }],
  };
  const { store, open } = await sessionBefore();
  const kept = [...(await open().prepare([system, user('Go on.')])).messages];
  const [rule = '', note = '', asked = ''] = textsOf(kept);
  expect([rule, asked]).toEqual(['You port parsers.', 'Go on.']);
  expect(note).toContain('- Never touch vendor.');
  expect(kept[1]?.role).toBe('user');
  kept.push(answer('Done.'), user('And the next.'));
  expect((await open().prepare(kept)).messages).toEqual(kept);
  const again = createContextManager({ store, sessionId: 's' });
  const { messages } = await again.prepare([system, user('Something new.')]);
  expect(textsOf(messages)).toHaveLength(3);
  expect(textsOf(messages)[1]).toContain('- And the next.');
  expect(textsOf(messages)[1]).toContain('- Never touch vendor.');
});
