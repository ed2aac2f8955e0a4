import type { Message, Role } from '@ctx/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isKnownToGrow } from '../context-manager/history/grown-lists.ts';
import { hostMessages } from './host-messages.ts';

/** What `npm test` tries of what the campaign does. */
const share = process.env['CTX_TEST_CAMPAIGN'] === '1' ? 1 : 0.4;

interface Said {
  role: Role;
  content: unknown;
  mark?: boolean;
}

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}

function withoutMark(given: Said): Said {
  if (given.mark === undefined) return given;
  const { mark: _mark, ...rest } = given;
  return rest;
}

/** A host whose messages are read and written with all of that counted. */
function counted({ joins = false } = {}) {
  const counts = { reads: 0, writes: 0 };
  const codec = hostMessages<Said>({
    read: ({ role, content }) => {
      counts.reads += 1;
      return content === 'nothing'
        ? undefined
        : { role, content: [{ type: 'text', text: textOf(content) }] };
    },
    plain: withoutMark,
    write: ({ role, content }) => {
      counts.writes += 1;
      return content.map((block) => ({ role, content: block.type === 'text' ? block.text : '' }));
    },
    ...(joins ? { mayJoin: (last: Message, next: Message) => last.role === next.role } : {}),
  });
  return { counts, codec };
}

const part = (text: string) => ({ type: 'text', text });
const said = (text: string, role: Role = 'user'): Said => ({ role, content: [part(text)] });
const history = (length: number): Said[] =>
  Array.from({ length }, (_, at) => said(`m${String(at)}`, at % 2 === 0 ? 'user' : 'assistant'));

describe('the messages of a host', () => {
  it.each([true, false])(
    'are converted once, step after step (the objects are kept: %s)',
    (isKept) => {
      const { counts, codec } = counted({ joins: true });
      const all = history((isKept ? 4000 : 600) * share);
      const perStep = all.map((_, step) => {
        const before = counts.reads;
        const given = all.slice(0, step + 1);
        codec.read(isKept ? given : structuredClone(given));
        return counts.reads - before;
      });
      expect(new Set(perStep)).toEqual(new Set([1]));
    },
  );

  it('are the same objects as long as they say the same, and others from where a list differs', () => {
    const { codec } = counted();
    const first = codec.read([said('a'), said('b'), said('c')]).messages;
    const second = codec.read([said('a'), said('other'), said('c')]).messages;
    expect(second[0]).toBe(first[0]);
    expect(second[1]).not.toBe(first[1]);
    expect(second[2]).toBe(first[2]);
    expect(codec.read([]).messages).toEqual([]);
  });

  it('that are objects of before are known wherever they stand', () => {
    const { counts, codec } = counted();
    const all = history(50);
    const { messages } = codec.read(all);
    expect(codec.read(all.slice(7)).messages[0]).toBe(messages[7]);
    expect(counts.reads).toBe(50);
  });

  it.each([3, 500, 999])(
    'that change in place are read again at once: number %i of 1,000',
    (at) => {
      const { counts, codec } = counted();
      const all = history(1000);
      const before = codec.read(all).messages;
      const changed = all[at];
      if (changed) changed.content = 'changed';
      const { messages, known } = codec.read(all);
      expect(messages[at]?.content).toEqual([part('changed')]);
      expect(messages.filter((message, place) => message === before[place])).toHaveLength(999);
      expect({ known, reads: counts.reads }).toEqual({ known: at, reads: 1001 });
    },
  );

  it('that change within a part of a result in place are read again', () => {
    const { codec } = counted();
    const inner = part('a');
    const given: Said = { role: 'user', content: [{ type: 'result', content: [inner] }] };
    codec.read([given]);
    inner.text = 'b';
    expect(textOf(codec.read([given]).messages[0]?.content)).toContain('b');
  });

  it('are not read again for a mark that says nothing', () => {
    const { counts, codec } = counted();
    const { messages } = codec.read([said('a'), said('b')]);
    const marked = { ...said('a'), mark: true };
    expect(codec.read([marked, said('b')]).messages).toEqual(messages);
    expect(codec.read([said('a'), { ...said('b'), mark: true }]).messages[1]).toBe(messages[1]);
    expect(counts.reads).toBe(2);
  });

  it('are read again where another object stands, though what may change in it is the same', () => {
    const codec = hostMessages<Said>({
      read: ({ role, content }) => ({ role, content: [{ type: 'text', text: textOf(content) }] }),
      changing: ({ content }) => content,
      write: () => [],
    });
    const content = [part('a')];
    codec.read([{ role: 'user', content }]);
    expect(codec.read([{ role: 'assistant', content }]).messages[0]?.role).toBe('assistant');
  });

  it('are the objects that stand in a list of other kinds or lengths never', () => {
    const { codec } = counted();
    const texts: unknown[] = [
      { a: 2, x: 'y', z: 'w' },
      { a: ['x', 'y'], z: 'w' },
      { a: { b: 'c' } },
      { a: 'b', c: undefined },
      ['a', 'b'],
      { 0: 'a', 1: 'b' },
      [5, 1, 'x'],
      [['x'], undefined, undefined],
      [],
      {},
    ];
    for (const before of texts) {
      for (const after of texts) {
        const [one] = codec.read([{ role: 'user', content: before }]).messages;
        const [other] = codec.read([{ role: 'user', content: after }]).messages;
        expect(one === other).toBe(before === after);
      }
    }
  });
});

describe('messages of several objects', () => {
  it('are joined, stay the same while nothing joins them, and name their own objects', () => {
    const { codec } = counted({ joins: true });
    const all = [said('a'), said('b'), { ...said('x'), content: 'nothing' }, said('c')];
    const answer = said('d', 'assistant');
    const first = codec.read([...all, answer]);
    expect(first.messages).toHaveLength(2);
    const [joined] = first.messages;
    expect(joined && first.originsOf(joined)).toEqual([all[0], all[1], all[3]]);
    const second = codec.read([...all, answer, said('e')]);
    expect(second.messages[0]).toBe(joined);
    const third = codec.read([...all, answer, said('e'), said('f')]);
    expect(third.messages[1]).toBe(first.messages[1]);
    expect(third.messages[2]?.content).toHaveLength(2);
    const stranger = second.messages[2];
    expect(stranger && third.originsOf(stranger)).toBeUndefined();
  });

  it('are the same message where they end the list, too', () => {
    const { codec } = counted({ joins: true });
    const all = [said('a'), said('b')];
    expect(codec.read(all).messages[0]).toBe(codec.read([...all]).messages[0]);
  });

  it('are what a reading without memory gives, whatever list follows whatever list', () => {
    const some = fc.array(
      fc.record({
        role: fc.constantFrom('user', 'assistant' as const),
        content: fc.constantFrom('a', 'b', 'nothing', 'c'),
      }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(fc.array(some, { maxLength: 6 }), fc.boolean(), (lists, joins) => {
        const { codec } = counted({ joins });
        for (const list of lists) {
          const read = codec.read(list);
          const anew = counted({ joins }).codec.read(list);
          expect(read.messages).toEqual(anew.messages);
          const origins = read.messages.flatMap((each) => read.originsOf(each) ?? []);
          expect(origins).toEqual(list.filter(({ content }) => content !== 'nothing'));
          expect(read.messagesFrom(2)).toEqual(anew.messagesFrom(2));
        }
      }),
    );
  });
});

describe('the history of a host', () => {
  it('is the same list as long as it only grows, and another where it does not', () => {
    for (const joins of [true, false]) {
      const { codec } = counted({ joins });
      const all = history(20);
      const first = codec.read(all.slice(0, 10));
      codec.write([], first);
      const second = codec.read(all);
      expect(second.messages).toBe(first.messages);
      expect(isKnownToGrow(second.messages)).toBe(true);
      codec.write([], second);
      const third = codec.read([...all.slice(0, 5), said('other', 'assistant')]);
      expect(third.messages).not.toBe(second.messages);
      expect(second.messages).toHaveLength(20);
    }
  });

  it('stays as it was until its request is written, whatever is read meanwhile', () => {
    for (const joins of [true, false]) {
      const { codec } = counted({ joins });
      const all = history(20);
      const first = codec.read(all.slice(0, 10));
      const second = codec.read(all);
      expect(first.messages).toHaveLength(10);
      const [one] = first.messages;
      expect(one && first.originsOf(one)).toEqual([all[0]]);
      codec.write(first.messages, first);
      const third = codec.read([...all, said('more')]);
      expect(second.messages).toHaveLength(20);
      const { sent } = codec.write(second.messages, second);
      expect(sent).toEqual(all);
      expect(third.messages).toHaveLength(21);
    }
  });

  it('may begin at a place of the list', () => {
    const { codec } = counted();
    const rules = said('rules', 'system');
    const all = history(6);
    const first = codec.read([rules, ...all.slice(0, 4)], 1);
    const second = codec.read([rules, rules, ...all], 2);
    expect(second.messages.slice(0, 4)).toEqual(first.messages);
    expect(codec.write(second.messages, second).sent).toEqual(all);
  });
});

describe('a message that is not the host’s', () => {
  it('is written once, and read as itself where the host gives it in again', () => {
    const { counts, codec } = counted();
    const stub: Message = { role: 'assistant', content: [{ type: 'text', text: 'left' }] };
    const given = [said('a'), said('b')];
    const read = codec.read(given);
    const [own] = read.messages;
    const { sent } = codec.write(own ? [own, stub] : [], read);
    expect(sent[0]).toBe(given[0]);
    expect(codec.write([stub], read).sent[0]).toBe(sent[1]);
    expect(counts.writes).toBe(1);
    expect(codec.read(sent).messages[1]).toBe(stub);
  });

  it('is the host’s own object from when the host gives it in, where it stood before', () => {
    const { codec } = counted();
    const stub: Message = { role: 'user', content: [{ type: 'text', text: 'left' }] };
    const { sent } = codec.write([stub], codec.read([said('a')]));
    codec.write([stub], codec.read([said('a'), said('b', 'assistant')]));
    const marked = sent.map((each) => ({ ...each, mark: true }));
    codec.read(sent);
    const read = codec.read(marked);
    expect(read.messages).toEqual([stub]);
    expect(codec.write(read.messages, read).sent[0]).toBe(marked[0]);
  });

  it('is written where it stands, whatever stood there in the request before', () => {
    const { codec } = counted();
    const stub = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
    const [x, y, z] = [stub('x'), stub('y'), stub('z')];
    const read = codec.read([said('a'), said('b')]);
    const [a, b] = read.messages;
    const requests = [[x, y, a, b], [y, a, b], [x, z, y, b], [a, x, b, z], []];
    const textsOf = (messages: readonly (Message | undefined)[]): string =>
      JSON.stringify(messages.map((message) => message?.content));
    for (const each of requests) {
      const messages = each.filter((message) => message !== undefined);
      const { sent } = codec.write(messages, read);
      expect(textsOf(codec.read(sent).messages)).toBe(textsOf(messages));
      codec.read([said('a'), said('b')]);
    }
  });
});
