import type { ContentBlock, Message } from '@ctx/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anthropic } from '../dialects/anthropic/anthropic.ts';
import type { ClientMessage, Dialect } from '../dialects/dialect.ts';
import { gemini } from '../dialects/gemini/gemini.ts';
import { keyOfMessage } from '../dialects/message-key.ts';
import { openAiChat } from '../dialects/openai-chat/openai-chat.ts';
import { messagesIn, saidIn } from '../test-support/client-requests.ts';
import { createSentView, type SentView, type TakenMessage } from './sent-view.ts';

/** As no program of ours would write it. */
const odd = (value: unknown): string => JSON.stringify(value, null, 3);

const call = (id: string, name = 'Read') => ({ type: 'tool_use', id, name, input: { path: 'a' } });
const answer = (id: string, content: unknown = 'the file', more: object = {}) => ({
  ...{ type: 'tool_result', tool_use_id: id, content },
  ...more,
});
const text = (said: string) => ({ type: 'text', text: said });
const user = (...content: readonly unknown[]) => ({ role: 'user', content });
const model = (...content: readonly unknown[]) => ({ role: 'assistant', content });

const dialogue = [
  user(text('Mend the roof.'), text('Soon.')),
  model(text('I look.'), call('1'), call('2', 'Bash')),
  user(answer('1'), answer('2', [text('made')]), text('Go on.')),
  model(text('Done.')),
];

const readOdd = (values: readonly unknown[], dialect: Dialect = anthropic) =>
  messagesIn(dialect, values.map(odd));

interface Opened {
  readonly dialect?: Dialect;
  readonly sessionId?: string;
  /** What is different about a message that was taken. */
  readonly more?: (at: number, given: Message) => Partial<TakenMessage>;
}

/** A view that took all messages, as they are unless `more` says otherwise. */
function viewOf(
  messages: readonly ClientMessage[],
  { dialect = anthropic, sessionId, more = () => ({}) }: Opened = {},
): SentView {
  const view = createSentView(dialect, sessionId);
  for (const [at, given] of saidIn(messages).entries()) {
    view.take({ given, taken: given, ...more(at, given) });
  }
  return view;
}

const sent = (view: SentView, shown: readonly Message[], messages: readonly ClientMessage[]) =>
  view.render(view.plan(shown), messages);

const own = (said: string): ContentBlock => ({ type: 'text', text: said });
const result = (toolUseId: string, said: string): ContentBlock => ({
  ...{ type: 'tool_result', toolUseId, content: [{ type: 'text', text: said }] },
});

/** The dialogue with another content in one of its messages. */
function shownWith(
  messages: readonly ClientMessage[],
  at: number,
  change: (content: readonly ContentBlock[]) => readonly ContentBlock[],
): Message[] {
  return saidIn(messages).map((message, index) =>
    index === at ? { ...message, content: change(message.content) } : message,
  );
}

describe('what the window does not change goes out in the bytes of the client', () => {
  it('as whole messages', () => {
    const messages = readOdd(dialogue);
    expect(sent(viewOf(messages), saidIn(messages), messages)).toEqual(dialogue.map(odd));
  });

  it('as whole messages of several records', () => {
    const records = [
      { role: 'user', content: 'Mend the roof.' },
      {
        role: 'assistant',
        content: null,
        tool_calls: ['1', '2'].map((id) => ({
          ...{ id, type: 'function', function: { name: 'Read', arguments: '{ }' } },
        })),
      },
      { role: 'tool', tool_call_id: '1', content: 'one' },
      { role: 'tool', tool_call_id: '2', content: 'two' },
    ];
    const messages = readOdd(records, openAiChat);
    const view = viewOf(messages, { dialect: openAiChat });
    expect(messages).toHaveLength(3);
    expect(sent(view, saidIn(messages), messages)).toEqual(records.map(odd));
    const shown = shownWith(messages, 2, ([one]) => [...(one ? [one] : []), result('2', 'less')]);
    expect(sent(view, shown, messages)).toEqual([
      ...records.slice(0, 3).map(odd),
      odd(records[3]).replace('"two"', '"less"'),
    ]);
  });

  it('beside a result that changed, of which only the content does', () => {
    const messages = readOdd(dialogue);
    const shown = shownWith(messages, 2, ([, ...rest]) => [result('1', 'a preview'), ...rest]);
    const [first, second, third = '', last] = sent(viewOf(messages), shown, messages);
    expect([first, second, last]).toEqual([dialogue[0], dialogue[1], dialogue[3]].map(odd));
    const [one, ...others] = messages[2]?.parts ?? [];
    const changed = one?.replace('"the file"', '"a preview"');
    expect(third).toBe(`{"role":"user","content":[${[changed, ...others].join(',')}]}`);
  });

  it('beside a call whose input changed, of which only that does', () => {
    const messages = readOdd(dialogue);
    const shown = shownWith(messages, 1, (content) =>
      content.map((block) => (block.type === 'tool_use' ? { ...block, input: 'kept' } : block)),
    );
    const [, second] = sent(viewOf(messages), shown, messages);
    const parts = messages[1]?.parts.map((part) => part.replace(/\{\s*"path": "a"\s*\}/, '"kept"'));
    expect(second).toBe(`{"role":"assistant","content":[${String(parts?.join(','))}]}`);
    expect(second).toContain('"input": "kept"');
  });

  it('beside what ctx adds, with everything else that the client says of the message', () => {
    const values = ['first', 'second'].map((said) => ({
      ...{ id: said, parts: [{ text: said }, { text: 'more' }], role: 'user' },
    }));
    const messages = readOdd(values, gemini);
    const view = viewOf(messages, { dialect: gemini });
    const [one, other] = saidIn(messages);
    const shown: Message[] = [
      { role: 'user', content: [own('from ctx')] },
      ...(one ? [one] : []),
      { role: 'user', content: [own('of ctx'), ...(other?.content.slice(0, 1) ?? [])] },
    ];
    const [first, second, third = ''] = sent(view, shown, messages);
    expect(first).toBe('{"parts":[{"text":"from ctx"}],"role":"user"}');
    expect(second).toBe(odd(values[0]));
    expect(JSON.parse(third)).toEqual({
      ...values[1],
      parts: [{ text: 'of ctx' }, { text: 'second' }],
    });
  });

  it('without what left', () => {
    const messages = readOdd(dialogue);
    const shown = shownWith(messages, 1, ([, ...rest]) => rest);
    const [, second] = sent(viewOf(messages), shown, messages);
    const parts = messages[1]?.parts.slice(1).join(',');
    expect(second).toBe(`{"role":"assistant","content":[${String(parts)}]}`);
  });

  it('in another order', () => {
    const messages = readOdd(dialogue);
    const shown = shownWith(messages, 1, (content) => content.toReversed());
    const [, second] = sent(viewOf(messages), shown, messages);
    const parts = messages[1]?.parts.toReversed().join(',');
    expect(second).toBe(`{"role":"assistant","content":[${String(parts)}]}`);
  });

  it('in one message with the next', () => {
    const messages = readOdd([user(text('one')), user(text('two'))]);
    const joined = { role: 'user', content: saidIn(messages).flatMap(({ content }) => content) };
    const parts = messages.flatMap((message) => message.parts).join(',');
    const [only, ...none] = sent(viewOf(messages), [joined as Message], messages);
    expect([only, none]).toEqual([`{"role":"user","content":[${parts}]}`, []]);
  });

  it('of several messages that the window shows as one', () => {
    const messages = readOdd(dialogue);
    const [one, , other] = saidIn(messages);
    const content = [one?.content[0], other?.content[1]].flatMap((block) => block ?? []);
    const [only] = sent(viewOf(messages), [{ role: 'user', content }], messages);
    const parts = [messages[0]?.parts[0], messages[2]?.parts[1]].join(',');
    expect(only).toBe(`{"role":"user","content":[${parts}]}`);
  });

  it('however often the client says the same: each time in the bytes of its own', () => {
    const values = [user(text('again')), model(text('again')), user(text('again'), text('again'))];
    const spaces = [1, 2, 3];
    const elements = values.map((value, at) => JSON.stringify(value, null, spaces[at]));
    const messages = messagesIn(anthropic, elements);
    const view = viewOf(messages);
    expect(sent(view, saidIn(messages), messages)).toEqual(elements);
    view.cutTo(messages.length);
    expect(sent(view, saidIn(messages), messages)).toEqual(elements);
  });

  it('if what was said before in the same words left the view', () => {
    const values = [user(text('Begin.')), user(text('Go on.')), model(text('Go on.'))];
    const elements = [...values, user(text('Go on.')), user(text('Go on.'))].map((value, at) =>
      JSON.stringify(value, null, at),
    );
    const messages = messagesIn(anthropic, elements);
    const without = (...left: readonly number[]) =>
      sent(
        viewOf(messages),
        saidIn(messages).filter((_, at) => !left.includes(at)),
        messages,
      );
    expect(without(2)).toEqual(elements.toSpliced(2, 1));
    // What comes before equal texts tells them apart.
    expect(without(1)).toEqual(elements.toSpliced(1, 1));
    expect(without(0, 1)).toEqual(elements.slice(2));
    const said = ['Begin.', 'a', 'b', 'Go on.', 'c', 'Go on.'].map((words) => user(text(words)));
    const long = said.map((value, at) => JSON.stringify(value, null, at));
    const all = messagesIn(anthropic, long);
    const shown: Message[] = [
      { role: 'user', content: [0, 1, 4].flatMap((at) => saidIn(all)[at]?.content ?? []) },
      ...saidIn(all).slice(5),
    ];
    expect(sent(viewOf(all), shown, all)[1]).toBe(long[5]);
  });

  it('if it gives its calls the same ids again and again, to which the window adds a number', () => {
    const rounds = ['one', 'two', 'three'].flatMap((said, at) => [
      model(call('0', said)),
      user(answer('0', said, at === 0 ? { is_error: true } : {})),
    ]);
    const messages = readOdd(rounds);
    const numbered = messagesIn(
      anthropic,
      rounds.map((value, at) =>
        odd(value).replace('"0"', at < 2 ? '"0"' : `"0_${String(1 + Math.floor(at / 2))}"`),
      ),
    );
    expect(sent(viewOf(messages), saidIn(numbered), messages)).toEqual(rounds.map(odd));
    expect(sent(viewOf(messages), saidIn(numbered).slice(2), messages)).toEqual(
      rounds.slice(2).map(odd),
    );
    const shown = shownWith(numbered, 3, () => [result('0_2', 'less')]);
    const [, , , fourth, ...last] = sent(viewOf(messages), shown, messages);
    expect(fourth).toBe(
      `{"role":"user","content":[${String(messages[3]?.parts[0]?.replace('"two"', '"less"'))}]}`,
    );
    expect(last).toEqual(rounds.slice(4).map(odd));
  });

  it('if its own ids end in numbers', () => {
    const values = [model(call('a_2'), call('a')), user(answer('a_2', 'two'), answer('a', 'one'))];
    const messages = readOdd(values);
    expect(sent(viewOf(messages), saidIn(messages), messages)).toEqual(values.map(odd));
  });

  it('even if the client writes them otherwise now, as it moves its marks', () => {
    const messages = readOdd(dialogue);
    const view = viewOf(messages);
    const shown = shownWith(messages, 2, ([, ...rest]) => [result('1', 'a preview'), ...rest]);
    const plan = view.plan(shown);
    const before = view.render(plan, messages);
    const mark = { cache_control: { type: 'ephemeral' } };
    const marked = dialogue.map(({ role, content }) => ({
      role,
      content: content.map((block) => ({ ...(block as object), ...mark })),
    }));
    const after = view.render(plan, readOdd(marked));
    expect(after.join('').split('ephemeral')).toHaveLength(
      before.join('').split('type').length - 1,
    );
    expect(view.render(plan, messages)).toEqual(before);
  });
});

describe('what must not change goes out as the client wrote it, whatever the log holds of it', () => {
  const changed = (messages: readonly ClientMessage[]) =>
    shownWith(messages, 2, ([, ...rest]) => [result('1', 'something else'), ...rest]);

  it('an error', () => {
    const failed = user(answer('1', 'no such file', { is_error: true }));
    const messages = readOdd([...dialogue.slice(0, 2), failed]);
    expect(sent(viewOf(messages), changed(messages), messages)[2]).toBe(odd(failed));
  });

  it('what went out before the window took it', () => {
    const messages = readOdd(dialogue);
    const more = (at: number) => ({ wasSent: at === 2 });
    expect(sent(viewOf(messages, { more }), changed(messages), messages)).toEqual(
      dialogue.map(odd),
    );
  });

  it('a secret, which the store must not have', () => {
    const secret = user(text('The key is k.'), text('Use it.'));
    const messages = readOdd([secret]);
    const more = (_at: number, { role, content: [, ...rest] }: Message) => ({
      taken: { role, content: [own('The key is [redacted].'), ...rest] },
    });
    const shown = shownWith(messages, 0, ([, ...rest]) => [own('The key is [redacted].'), ...rest]);
    expect(sent(viewOf(messages, { more }), shown, messages)).toEqual([odd(secret)]);
  });

  it('a result with a secret, whatever is shown of it', () => {
    const secret = user(answer('1', 'The key is k.'), text('Use it.'));
    const messages = readOdd([dialogue[0], dialogue[1], secret]);
    const more = (at: number, { role, content: [, ...rest] }: Message) =>
      at < 2 ? {} : { taken: { role, content: [result('1', 'The key is [redacted].'), ...rest] } };
    const shown = shownWith(messages, 2, ([, ...rest]) => [result('1', 'The key …'), ...rest]);
    expect(sent(viewOf(messages, { more }), shown, messages)[2]).toBe(odd(secret));
  });

  it('a result whose output was deleted from the store', () => {
    const messages = readOdd(dialogue);
    const deleted = '[ctx: deleted from the store; it was ctx://outputs/a]';
    const shown = shownWith(messages, 2, ([, ...rest]) => [result('1', deleted), ...rest]);
    expect(sent(viewOf(messages), shown, messages)).toEqual(dialogue.map(odd));
    const beside = shownWith(messages, 2, ([, ...rest]) => [
      { ...result('1', deleted), content: [own('a page'), own(deleted)] } as ContentBlock,
      ...rest,
    ]);
    expect(sent(viewOf(messages), beside, messages)).toEqual(dialogue.map(odd));
    const quoted = shownWith(messages, 2, ([, ...rest]) => [result('1', `x ${deleted}`), ...rest]);
    expect(sent(viewOf(messages), quoted, messages)[2]).toContain(`x ${deleted}`);
  });
});

describe('what ctx writes', () => {
  const line = '[Read a → ctx://outputs/a; said → ctx://messages/3]';

  it('goes out as a message of its own', () => {
    const messages = readOdd(dialogue);
    const shown: Message[] = [...saidIn(messages), { role: 'user', content: [own('left: 2')] }];
    expect(sent(viewOf(messages), shown, messages)).toEqual([
      ...dialogue.map(odd),
      '{"role":"user","content":[{"type":"text","text":"left: 2"}]}',
    ]);
  });

  it.each([
    ['commands of a shell', 'p1', '[Read a → ctx read ctx://outputs/a; said → ctx read p1/3]'],
    ['addresses, for a model with the tool', undefined, line],
  ])('names what left by %s', (_how, sessionId, written) => {
    const messages = readOdd(dialogue);
    const view = viewOf(messages, sessionId === undefined ? {} : { sessionId });
    const shown = shownWith(messages, 2, ([, , ...rest]) => [
      ...[own(line), result('1', `${line}\nmore`), result('3', line), ...rest],
    ]);
    const [, , third = ''] = sent(view, shown, messages);
    expect(third.split(written)).toHaveLength(4);
    expect(third).toContain(`${written}\\nmore`);
  });

  it('leaves calls and what is no text as they are', () => {
    const image = { type: 'opaque', format: 'anthropic:image', data: { type: 'image' } } as const;
    const inCall = { type: 'tool_use', id: '1_1b', name: 'Read', input: { line } } as const;
    const messages = readOdd(dialogue);
    const mixed: ContentBlock = { ...result('1', line), content: [image, own(line)] } as never;
    const shown: Message[] = [
      { role: 'assistant', content: [inCall] },
      { role: 'user', content: [mixed] },
    ];
    const [asked, answered] = sent(viewOf(messages, { sessionId: 'p1' }), shown, messages);
    expect(asked).toContain(JSON.stringify({ line }));
    expect(asked).toContain('"1_1b"');
    expect(answered).toContain('{"type":"image"}');
    expect(answered).toContain('ctx read p1/3');
  });
});

it('a message that is shown as before is not written again while the client has the same', () => {
  let count = 0;
  const counting: Dialect = {
    ...anthropic,
    writeMessage: (...given) => {
      count += 1;
      return anthropic.writeMessage(...given);
    },
  };
  const messages = readOdd(dialogue);
  const view = viewOf(messages, { dialect: counting });
  const shown = shownWith(messages, 2, ([, ...rest]) => [result('1', 'less'), ...rest]);
  const first = sent(view, shown, messages);
  expect(sent(view, shown, messages)).toEqual(first);
  // Another message of the client's changed.
  expect(sent(view, shown, messages.with(3, { ...messages[0] } as ClientMessage))[2]).toBe(
    first[2],
  );
  expect(count).toBe(1);
  sent(view, shown, messages.with(2, { ...messages[2] } as ClientMessage));
  expect(count).toBe(2);
});

it('a message of several is written again if any of those changed', () => {
  const messages = readOdd([user(text('one')), user(text('two'))]);
  const view = viewOf(messages);
  const content = saidIn(messages).flatMap((message) => message.content);
  const plan = view.plan([{ role: 'user', content }]);
  view.render(plan, messages);
  const [marked] = readOdd([user({ ...text('two'), cache_control: { type: 'ephemeral' } })]);
  if (marked === undefined) throw new Error('no message');
  expect(view.render(plan, messages.with(1, marked)).join('')).toContain('ephemeral');
});

describe('a client that goes back', () => {
  it('has what it says since in its own bytes, and nothing of what it took back', () => {
    const messages = readOdd(dialogue);
    const view = viewOf(messages);
    sent(view, saidIn(messages), messages);
    view.cutTo(2);
    const others = [user(answer('1', 'another file'), answer('2')), model(text('Done.'))];
    const now = readOdd([...dialogue.slice(0, 2), ...others]);
    for (const given of saidIn(now.slice(2))) view.take({ given, taken: given });
    expect(sent(view, saidIn(now), now)).toEqual([...dialogue.slice(0, 2), ...others].map(odd));
  });

  it('to more than there is has all of it', () => {
    const messages = readOdd(dialogue);
    const view = viewOf(messages);
    view.cutTo(9);
    const more = messagesIn(anthropic, [...dialogue, user(text('More.'))].map(odd));
    for (const given of saidIn(more.slice(4))) view.take({ given, taken: given });
    expect(sent(view, saidIn(more), more)).toEqual(more.flatMap(({ raw }) => raw));
  });
});

describe('law', () => {
  const words = fc.constantFrom('a', 'b', '[ctx: x]', 'ctx://outputs/a', '"\n', 'ü');
  const texts = fc.array(words, { minLength: 1, maxLength: 3 }).map((said) => said.join(' '));
  const pair = fc.tuple(texts, texts, fc.boolean(), fc.boolean());
  const turns = fc
    .array(pair, { minLength: 1, maxLength: 6 })
    .map((pairs) =>
      pairs.flatMap(([asked, answered, isError, isCall], at) =>
        isCall
          ? [
              model(text(asked), call(String(at))),
              user(answer(String(at), answered, isError ? { is_error: true } : {}), text(asked)),
            ]
          : [user(text(asked)), model(text(answered))],
      ),
    );
  const drawn = fc.record({
    turns,
    space: fc.constantFrom(0, 1, 4),
    changes: fc.array(fc.constantFrom('keep', 'keep', 'drop', 'less', 'own'), { minLength: 5 }),
  });

  /** What a window might show of a block. */
  function changedTo(block: ContentBlock, change: string | undefined): ContentBlock[] {
    if (change === 'drop') return [];
    if (change === 'own') return [block, own('from ctx')];
    const isResult = block.type === 'tool_result' && block.isError !== true;
    return [change === 'less' && isResult ? result(block.toolUseId, 'less') : block];
  }

  it('a model reads what the window shows, in the bytes of the client wherever they say that', () => {
    fc.assert(
      fc.property(drawn, ({ turns: values, space, changes }) => {
        const messages = messagesIn(
          anthropic,
          values.map((value) => JSON.stringify(value, null, space)),
        );
        let next = 0;
        const shown = saidIn(messages).flatMap(({ role, content }): Message[] => {
          const left = content.flatMap((block) =>
            changedTo(block, changes[next++ % changes.length]),
          );
          return left.length === 0 ? [] : [{ role, content: left }];
        });
        const elements = sent(viewOf(messages), shown, messages);
        const read = messagesIn(anthropic, elements);
        expect(read.map(({ key }) => key)).toEqual(shown.map(keyOfMessage));
        const bytes = new Set(messages.flatMap(({ parts }) => parts));
        const said = new Set(
          messages.flatMap(({ parts }) => parts.map((part) => part.replaceAll(/\s/g, ''))),
        );
        for (const part of read.flatMap(({ parts }) => parts)) {
          if (said.has(part.replaceAll(/\s/g, ''))) expect(bytes).toContain(part);
        }
      }),
    );
  });
});
