import type { ContextStore } from '@ctx/store';
import { describe, expect, it } from 'vitest';
import { testStore } from '../test-support/anthropic-conversation.ts';
import { clientReader } from '../test-support/client-requests.ts';
import { type AnthropicMessage, bodyOf } from '../test-support/scripted-agent.ts';
import { isMarked, nameSession, type SessionNaming } from './name-session.ts';

type Content = AnthropicMessage['content'];

const caller = { client: 'claude-code', conversation: '5e55-1' };
const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' };
const texts = (...list: readonly string[]): Content => list.map((text) => ({ type: 'text', text }));
const asks = (...contents: readonly Content[]): AnthropicMessage[] =>
  contents.map((content) => ({ role: 'user', content }));

async function name(
  store: ContextStore,
  messages: readonly AnthropicMessage[],
  more: Partial<SessionNaming> = {},
) {
  const { request } = clientReader(store)(bodyOf(messages));
  await nameSession(store, 'p1', { caller, request, mark: undefined, ...more });
  return store.sessions.get('p1');
}

describe('a new session is called by', () => {
  const rounds: readonly (readonly [string, readonly AnthropicMessage[], string | undefined])[] = [
    ['what the user asked for', asks('Mend the roof.'), 'Mend the roof.'],
    ['one line of it', asks('  Mend\n\n\tthe   roof. '), 'Mend the roof.'],
    ['80 characters of it', asks(`${'a'.repeat(79)}bcd`), `${'a'.repeat(79)}b`],
    [
      'the last text of the message, before which clients put their own',
      asks(texts('Contents of notes.md', 'Mend the roof.')),
      'Mend the roof.',
    ],
    [
      'what the user writes beside an image',
      asks([
        { type: 'text', text: 'Mend the roof.' },
        { type: 'image', source },
      ]),
      'Mend the roof.',
    ],
    [
      'what does not stand between tags, as the words of clients do',
      asks(texts('Mend the roof.', ' \n<system-reminder>Be kind.</system-reminder>')),
      'Mend the roof.',
    ],
    [
      'the first message in which the user says something',
      asks('<environment>Linux</environment>', 'Mend the roof.', 'Then the door.'),
      'Mend the roof.',
    ],
    [
      'what the user says, not the model or the system',
      [
        { role: 'system', content: 'You are an agent.' },
        ...asks('<x>'),
        { role: 'assistant', content: 'Hello.' },
        ...asks('Mend it.'),
      ],
      'Mend it.',
    ],
    ['nothing, if there is only what stands between tags', asks('<x>y</x>'), undefined],
    ['nothing, if there are only blanks', asks(' \n '), undefined],
  ];

  it.each(rounds)('%s', async (_what, messages, title) => {
    const session = await name(await testStore(), messages);
    expect(session?.source).toBe('proxy:claude-code');
    expect(session?.title).toBe(title);
  });

  it('no secret', async () => {
    const secret = `sk-ant-api03-${'aB3dE5gH7'.repeat(4)}`;
    const session = await name(await testStore(), asks(`Use ${secret} now.`));
    expect(session?.title).toMatch(/^Use .+/);
    expect(session?.title).not.toContain('sk-ant');
  });
});

it('a session keeps its title and its source, and what its state says beside', async () => {
  const store = await testStore();
  await store.sessions.update('p1', (session) => ({
    ...session,
    source: 'import',
    title: 'The roof',
    document: { ...session.document, system_state: { own: 7 } },
  }));
  const session = await name(store, asks('Mend it.'), { mark: 'proxy_read_tool' });
  expect(session).toMatchObject({ source: 'import', title: 'The roof' });
  expect(session?.document.system_state).toEqual({
    own: 7,
    proxy_conversation: '5e55-1',
    proxy_read_tool: true,
  });
});

it('a session without a title gets none from a message that says nothing, and one later', async () => {
  const store = await testStore();
  expect(await name(store, asks('<x>'))).not.toHaveProperty('title');
  expect(await name(store, asks('Mend it.'))).toMatchObject({ title: 'Mend it.' });
});

it('a session whose client names no conversation says nothing of it', async () => {
  const session = await name(await testStore(), asks('Mend it.'), {
    caller: { client: 'program' },
  });
  expect(session?.source).toBe('proxy:program');
  expect(session?.document.system_state).toEqual({});
});

describe('whether a session has a mark', () => {
  const lane = () => ({ sessionId: 'p1', begun: undefined });
  const tool = { mark: 'proxy_read_tool', isWanted: true } as const;
  const unwanted = { mark: 'proxy_read_tool', isWanted: false } as const;

  it('is what is wanted, as long as it has not begun', async () => {
    const store = await testStore();
    // What was only counted in it does not begin it.
    store.sessions.observe('p1', { usage: { input: 1, output: 1 } });
    await store.sessions.flush();
    const one = lane();
    expect(await isMarked(store, one, tool)).toBe(true);
    expect(await isMarked(store, one, unwanted)).toBe(false);
  });

  it('is as it began, whatever is wanted since', async () => {
    const store = await testStore();
    await name(store, asks('Mend it.'), { mark: 'proxy_read_tool' });
    expect(await isMarked(store, lane(), unwanted)).toBe(true);
    const heldOut = { mark: 'proxy_held_out', isWanted: true } as const;
    expect(await isMarked(store, lane(), heldOut)).toBe(false);
  });

  it('is no, if it began without', async () => {
    const store = await testStore();
    await name(store, asks('Mend it.'));
    expect(await isMarked(store, lane(), tool)).toBe(false);
  });

  it('is read once', async () => {
    const store = await testStore();
    await name(store, asks('Mend it.'), { mark: 'proxy_read_tool' });
    const one = lane();
    await isMarked(store, one, unwanted);
    await store.close();
    expect(await isMarked(store, one, unwanted)).toBe(true);
  });
});
