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
