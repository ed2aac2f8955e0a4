import type { ContentBlock, Message } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import { assistant, call, result, textOf, user } from '../window/test-support/test-window.ts';
import { windowPolicy } from '../window/window-policy.ts';
import type { SessionWindow } from './session-window.ts';
import { smallPolicy, testPlace, testSession } from './test-support/test-session.ts';
import { readAddress } from './view/read-messages.ts';

const day = 86_400_000;
const input = { path: 'a.ts', old_string: textOf(300, 'old'), new_string: textOf(300, 'new') };

const quick = { ...smallPolicy, otherTailTokens: 300, editTailTokens: 200 };

const shown = (window: SessionWindow): string => JSON.stringify(window.view());

/** The inputs that stand behind the addresses of messages in a view. */
async function inputsBehind(window: SessionWindow): Promise<unknown[]> {
  const addresses = shown(window).match(/ctx:\/\/messages\/[\d-]+/g) ?? [];
  const read = await Promise.all(
    addresses.map((address) => readAddress(window.store, window.sessionId, address)),
  );
  return read
    .flat()
    .flatMap(({ message }) => message.content)
    .flatMap((block) => (block.type === 'tool_use' ? [block.input] : []));
}

/** The text of the output behind the address in what is shown of a message. */
async function outputBehind(window: SessionWindow, message: Message | undefined): Promise<unknown> {
  const [, id = ''] = /ctx:\/\/outputs\/([^\]"\\]+)/.exec(JSON.stringify(message)) ?? [];
  const output = await window.store.outputs.load({ id, sessionId: window.sessionId });
  return output?.result;
}

async function worked(form: 'ledger' | 'stub', thinking: ContentBlock[] = []) {
  const { store } = await testPlace();
  const policy = { ...quick, form };
  const window = await testSession(store, { policy, windowTokens: 20_000 });
  const asked = call('e', 'Edit', input);
  const content = [...thinking, ...asked.content];
  await window.insert([user('task'), { ...asked, content }, result('e', textOf(200, 'done'))]);
  for (const id of ['b', 'c', 'd']) {
    await window.insert([call(id, 'Bash', { command: 'ls' }), result(id, textOf(240, id))]);
  }
  return window;
}

describe('an input that left', () => {
  it.each(['ledger', 'stub'] as const)('reads back from the view in the %s form', async (form) => {
    const window = await worked(form);
    await window.request(0);
    await window.request(day);
    expect(shown(window)).not.toContain('of old text, 20');
    expect(await inputsBehind(window)).toContainEqual(input);
  });

  it('reads back where only the last resort shortens it', async () => {
    const { store } = await testPlace();
    const policy = windowPolicy('default', { reserveTokens: 0 });
    const window = await testSession(store, { policy, windowTokens: 600, fixedTokens: 0 });
    await window.insert([user('task'), call('e', 'Edit', input), result('e', 'done')]);
    await window.request(0);
    expect(shown(window)).toContain('the input is kept at');
    expect(await inputsBehind(window)).toContainEqual(input);
  });

  it('reads back where what is shown in part is shortened, too', async () => {
    const { store } = await testPlace();
    const window = await testSession(store, { windowTokens: 20_000, policy: quick });
    const text = textOf(500, 'done');
    await window.insert([user('task'), call('e', 'Edit', input), result('e', text)]);
    const fill = [0, 1].flatMap((index) => [
      call(`b${String(index)}`, 'Bash', { command: 'ls' }),
      result(`b${String(index)}`, textOf(290, `b${String(index)}`)),
    ]);
    await window.insert(fill);
    await window.request(0);
    await window.request(day);
    expect(await inputsBehind(window)).toContainEqual(input);
    for (const windowTokens of [1200, 700, 420]) {
      await window.resize({ windowTokens });
      await window.request(2 * day);
      expect(await inputsBehind(window)).toContainEqual(input);
    }
  });
});

describe('the address of a result', () => {
  const long = (seed: string): string => textOf(600, seed);

  it('gives that result, also where two in one message have the same id', async () => {
    const { store } = await testPlace();
    const window = await testSession(store, { windowTokens: 20_000 });
    const [first, second] = [result('a', long('one')), result('a', long('two'))];
    await window.insert([user('task'), call('a', 'Bash', { command: 'ls' })]);
    await window.insert({ role: 'user', content: [...first.content, ...second.content] });
    await window.request(0);
    expect(await outputBehind(window, window.view()[2])).toBe(long('one'));
  });

  it('gives that result, also where its call got another id', async () => {
    const { store } = await testPlace();
    const window = await testSession(store, { windowTokens: 20_000 });
    await window.insert([user('task'), call('a', 'Bash', { command: 'x' }), result('a', 'short')]);
    const calls = [call('a', 'Bash', { command: 'y' }), call('a_2', 'Bash', { command: 'z' })];
    const answers = [result('a', long('one')), result('a_2', long('two'))];
    await window.insert({ role: 'assistant', content: calls.flatMap(({ content }) => content) });
    await window.insert({ role: 'user', content: answers.flatMap(({ content }) => content) });
    await window.request(0);
    const [one, two] = window.view()[4]?.content ?? [];
    const as = (block: ContentBlock | undefined): Message => ({
      role: 'user',
      content: block === undefined ? [] : [block],
    });
    expect(await outputBehind(window, as(one))).toBe(long('one'));
    expect(await outputBehind(window, as(two))).toBe(long('two'));
  });
});

describe('a result without a call', () => {
  it('changes nothing of what is shown after the log was opened again', async () => {
    const { store, reopen } = await testPlace();
    const sizes = { windowTokens: 100_000, fixedTokens: 0 };
    const policy = {
      ...smallPolicy,
      partFromTokens: 300,
      partTailTokens: 40_000,
      workReadTokens: 0,
    };
    const words = Array.from({ length: 40 }, (_, index) => `telling${String(index)}`);
    const lines = Array.from({ length: 400 }, (_, index) =>
      index % 10 === 3
        ? `uses ${words[index / 10 - 0.3] ?? 'telling7'} here`
        : `line ${String(index)}`,
    );
    const play = async (window: SessionWindow): Promise<void> => {
      await window.insert([call('r', 'Read', { path: 'a.ts' }), result('r', lines.join('\n'))]);
      await window.insert([call('b', 'Bash', { command: 'ls' }), result('b', textOf(250, 'b'))]);
      await window.insert([call('c', 'Read', { path: 'c.ts' }), result('c', textOf(900, 'c'))]);
      await window.request(0);
      await window.request(day);
    };
    const first = await testSession(store, { ...sizes, policy });
    await first.insert([user('task'), assistant('yes'), result('gone', `${words.join(' ')} `)]);
    await first.insert(user('go on with telling7'));
    await first.fork('t');
    await play(first);
    const again = await testSession(await reopen(), { sessionId: 't', policy });
    await play(again);
    const plain = (window: SessionWindow): string =>
      shown(window).replaceAll(/ctx:\/\/outputs\/[\w-]+/g, 'output');
    expect(shown(first)).toContain('[…');
    expect(plain(again)).toBe(plain(first));
  });
});
