import type { Message, Role } from '@ctx/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostMessages } from './host-messages.ts';

interface Said {
  readonly role: Role;
  content: { type: 'text'; text: string }[];
}

const said = (text: string, role: Role = 'user'): Said => ({
  role,
  content: [{ type: 'text', text }],
});

/** A history of a host that may say how often its members were read. */
function talk({ isMadeAnew = false } = {}) {
  const codec = hostMessages<Said>({
    read: ({ role, content }) => ({ role, content: content.map((part) => ({ ...part })) }),
    write: ({ role, content }) => [
      { role, content: content.map((part) => ({ type: 'text', text: JSON.stringify(part) })) },
    ],
    isMadeAnew,
  });
  const line: Message = { role: 'user', content: [{ type: 'text', text: 'what left' }] };
  /** Reads a list, and sends the messages at these places of it with a line for all others. */
  const request = (given: readonly Said[], shown: (place: number) => boolean): Message[] => {
    const read = codec.read(given);
    const sent = read.messages.filter((_, place) => shown(place));
    codec.write([line, ...sent], read);
    return [...read.messages];
  };
  return { codec, request };
}

/** A message that counts how often its members are read. */
function counting(text: string, counts: { reads: number }): Said {
  const { role, content } = said(text);
  const members = { role, content };
  const counted: PropertyDescriptorMap = {};
  for (const name of ['role', 'content'] as const) {
    const get = () => {
      counts.reads += 1;
      return members[name];
    };
    counted[name] = { enumerable: true, get };
  }
  return Object.defineProperties({} as Said, counted);
}

const textsOf = (messages: readonly Message[]): string[] =>
  messages.map(({ content }) => content.map((block) => JSON.stringify(block)).join());

/** How often members are read for one more request of a history of so many, of which the last ten are shown. */
function readsFor(length: number, isMadeAnew: boolean): number {
  const counts = { reads: 0 };
  const { request } = talk({ isMadeAnew });
  const make = () => Array.from({ length }, (_, at) => counting(`m${String(at)}`, counts));
  const kept = make();
  const isShown = (place: number): boolean => place >= length - 10;
  for (let time = 0; time < 3; time += 1) request(isMadeAnew ? make() : kept, isShown);
  const before = counts.reads;
  request(isMadeAnew ? make() : kept, isShown);
  return counts.reads - before;
}

describe('what the request left out', () => {
  it.each([true, false])(
    'costs nothing but its turn, however long the history is (made anew: %s)',
    (isMadeAnew) => {
      // Two members of each that is shown or has its turn.
      expect(readsFor(400, isMadeAnew)).toBe(2 * (10 + 64));
      expect(readsFor(4000, isMadeAnew)).toBe(2 * (10 + 64));
    },
  );

  it('is read again within as many requests as there are turns, where it changed in place', () => {
    const { request } = talk();
    const all = Array.from({ length: 640 }, (_, at) => said(`m${String(at)}`));
    for (const at of [0, 63, 64, 300, 639]) {
      request(all, () => false);
      const part = all[at]?.content[0];
      if (part) part.text = 'changed';
      const seen = Array.from({ length: 11 }, () =>
        textsOf(request(all, (place) => place === 639))[at]?.includes('changed'),
      );
      expect(seen).toContain(true);
      expect(seen.at(-1)).toBe(true);
      if (part) part.text = `m${String(at)}`;
      for (let time = 0; time < 11; time += 1) request(all, (place) => place === 639);
    }
  });

  it('is looked at as a whole where the list is shorter than it was', () => {
    const { request } = talk();
    const all = Array.from({ length: 500 }, (_, at) => said(`m${String(at)}`));
    for (let time = 0; time < 3; time += 1) request(all, (place) => place > 450);
    const part = all[400]?.content[0];
    if (part) part.text = 'changed';
    expect(textsOf(request(all.slice(0, 499), () => true))[400]).toContain('changed');
  });

  it('counts as shown again once the list is another, until the next request', () => {
    const { codec, request } = talk();
    const all = Array.from({ length: 500 }, (_, at) => said(`m${String(at)}`));
    for (let time = 0; time < 2; time += 1) request(all, (place) => place > 450);
    const others = all.with(5, said('other'));
    codec.read(others);
    const part = others[400]?.content[0];
    if (part) part.text = 'changed';
    expect(textsOf(codec.read(others).messages)[400]).toContain('changed');
  });

  it('is read again at once where it is another object, unless the host makes all of them anew', () => {
    for (const isMadeAnew of [true, false]) {
      const { request } = talk({ isMadeAnew });
      const all = Array.from({ length: 500 }, (_, at) => said(`m${String(at)}`));
      for (let time = 0; time < 2; time += 1) request(all, (place) => place > 450);
      const messages = request(all.with(7, said('other')), (place) => place > 450);
      expect(textsOf(messages)[7]?.includes('other')).toBe(!isMadeAnew);
    }
  });

  it('is looked at as a whole where what is shown stands elsewhere', () => {
    const { request } = talk({ isMadeAnew: true });
    const all = Array.from({ length: 500 }, (_, at) => said(`m${String(at)}`));
    for (let time = 0; time < 2; time += 1) request(all, (place) => place > 450);
    const moved = [...all.toSpliced(7, 1), said('new'), said('newer')];
    expect(request(structuredClone(moved), (place) => place > 450)).toEqual(moved);
  });
});

describe('what the request shows', () => {
  it('is read again at once where it changed in place', () => {
    const { request } = talk();
    const all = Array.from({ length: 500 }, (_, at) => said(`m${String(at)}`));
    for (const at of [3, 250, 499]) {
      request(all, (place) => place % 50 === 3 || place >= 250);
      const part = all[at]?.content[0];
      if (part) part.text = 'changed';
      expect(textsOf(request(all, () => true))[at]).toContain('changed');
    }
  });

  it('counts from all that is written for one list', () => {
    const { codec } = talk();
    const all = Array.from({ length: 300 }, (_, at) => said(`m${String(at)}`));
    const read = codec.read(all);
    const [first, second] = read.messages;
    if (first) codec.write([first], read);
    if (second) codec.write([second], read);
    const part = all[0]?.content[0];
    if (part) part.text = 'changed';
    expect(textsOf(codec.read(all).messages)[0]).toContain('changed');
  });

  it('is what a reading without memory gives, whatever was left out before', () => {
    let texts = 0;
    const step = fc.record({
      /** Which messages the request shows. */
      shown: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
      /** One of those is changed in place. */
      changes: fc.nat(7),
      /** Messages that go, from where on, and that come. */
      goes: fc.nat(2),
      from: fc.nat(9),
      comes: fc.nat(3),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), fc.boolean(), (steps, isMadeAnew) => {
        const { request } = talk({ isMadeAnew });
        let list: Said[] = [];
        let shown: readonly boolean[] = [];
        for (const { changes, goes, from, comes, ...next } of steps) {
          const part = shown[changes] === true ? list[changes]?.content[0] : undefined;
          if (part) part.text += '!';
          const coming = Array.from({ length: comes }, () => said(`m${String((texts += 1))}`));
          list = [...list.toSpliced(from, goes), ...coming];
          if (isMadeAnew) list = structuredClone(list);
          // The newest is always shown.
          const messages = request(
            list,
            (place) => place === list.length - 1 || (next.shown[place] ?? true),
          );
          shown = next.shown;
          expect(messages).toEqual(list);
        }
      }),
    );
  });
});
