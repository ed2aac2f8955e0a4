import type { ContentBlock, Message } from '@ctx/core';
import fc from 'fast-check';

/** One thing that happens in a session: a message, or a request. */
export type Step =
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'request'; readonly afterMs: number };

const ids = fc.constantFrom(...Array.from({ length: 12 }, (_, index) => `c${String(index)}`));

const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 40 }) },
  { weight: 3, arbitrary: fc.nat(60).map((lines) => `row ${'x'.repeat(30)}\n`.repeat(lines)) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.nat(5), fc.nat(300)).map(([seed, lines]) => numbered(seed, lines)),
  },
  { weight: 1, arbitrary: fc.nat(9).map((size) => 'QUJD'.repeat(size * 1000)) },
  { weight: 1, arbitrary: fc.constant('  ') },
);

/** A file that differs in some lines for each seed. */
function numbered(seed: number, lines: number): string {
  return Array.from({ length: lines }, (_, index) =>
    index % 50 === seed ? `changed ${String(seed)}` : `const value${String(index)} = 1;`,
  ).join('\n');
}

const textBlock = text.map((each): ContentBlock => ({ type: 'text', text: each }));

const opaque = fc
  .constantFrom('anthropic:image', 'anthropic:thinking', 'openai:reasoning')
  .chain((format) =>
    fc.nat(400).map((size): ContentBlock => ({ type: 'opaque', format, data: 'd'.repeat(size) })),
  );

const calls = fc
  .record({
    id: ids,
    tool: fc.constantFrom('Read', 'Edit', 'Bash', 'Grep', 'view'),
    path: fc.constantFrom('a.ts', './a.ts', 'src/b.ts', 'c d.md'),
    more: fc.oneof(
      fc.constant({}),
      fc.constant({ offset: 10, limit: 20 }),
      text.map((old) => ({ old })),
    ),
  })
  .map(
    ({ id, tool, path, more }): ContentBlock => ({
      type: 'tool_use',
      id,
      name: tool,
      input: tool === 'Bash' ? { command: `cat ${path}` } : { path, ...more },
    }),
  );

const results = fc
  .record({
    id: ids,
    content: fc.array(
      fc.oneof({ weight: 6, arbitrary: textBlock }, { weight: 1, arbitrary: opaque }),
      { maxLength: 2 },
    ),
    isError: fc.boolean(),
  })
  .map(({ id, content, isError }): ContentBlock => {
    const parts = content.flatMap((part) =>
      part.type === 'text' || part.type === 'opaque' ? [part] : [],
    );
    return { type: 'tool_result', toolUseId: id, content: parts, ...(isError ? { isError } : {}) };
  });

const message = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .array(fc.oneof(textBlock, calls, calls, calls, opaque), { maxLength: 4 })
      .map((content): Message => ({ role: 'assistant', content })),
  },
  {
    weight: 6,
    arbitrary: fc
      .array(fc.oneof(textBlock, results, results, results), { maxLength: 4 })
      .map((content): Message => ({ role: 'user', content })),
  },
  {
    weight: 1,
    arbitrary: textBlock.map((block): Message => ({ role: 'system', content: [block] })),
  },
);

/** Answers of the calls of a message, as a loop would give them, in one message or several. */
function answered(asked: Message, splits: boolean, word: string): Message[] {
  const content = asked.content.flatMap((block): ContentBlock[] => {
    if (block.type !== 'tool_use') return [];
    const body = `${word} ${block.id}\n`.repeat(word.length * 20);
    return [{ type: 'tool_result', toolUseId: block.id, content: [{ type: 'text', text: body }] }];
  });
  if (content.length === 0) return [asked];
  const parts = splits ? content.map((block) => [block]) : [content];
  return [asked, ...parts.map((part): Message => ({ role: 'user', content: part }))];
}

/** A read of some lines of one file: pages that overlap, numbered as `cat -n` does or without its column. */
const page = fc
  .record({
    id: ids,
    first: fc.nat(6),
    lines: fc.constantFrom(15, 40, 60),
    column: fc.constantFrom(0, 6),
  })
  .map(({ id, first, lines, column }): Message[] => {
    const input = { path: 'a.ts', offset: first * 10, limit: lines };
    const numbers = Array.from({ length: lines }, (_, index) => String(first * 10 + index));
    const body = numbers
      .map((number) => `${number.padStart(column)}\tconst name${number} = ${number};`)
      .join('\n');
    const content = [{ type: 'text', text: body } as const];
    return [
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input }] },
      { role: 'user', content: [{ type: 'tool_result', toolUseId: id, content }] },
    ];
  });

const steps = fc.oneof(
  { weight: 2, arbitrary: page },
  { weight: 4, arbitrary: message.map((each) => [each]) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(message, fc.boolean(), fc.string({ minLength: 1, maxLength: 12 }))
      .map(([asked, splits, word]) => answered(asked, splits, word)),
  },
);

const request = fc
  .constantFrom(0, 1000, 20_000, 400_000, -5000)
  .map((afterMs): Step => ({ kind: 'request', afterMs }));

/**
 * Histories as no provider would take them: parallel, late, missing, doubled and orphaned results, texts and system messages
 * between a call and its result, opaque blocks anywhere, empty contents, requests at any point, a clock that goes back.
 */
export const randomHistory: fc.Arbitrary<Step[]> = fc
  .array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: steps.map((each) =>
          each.map((given): Step => ({ kind: 'message', message: given })),
        ),
      },
      { weight: 1, arbitrary: request.map((each) => [each]) },
    ),
    { minLength: 1, maxLength: 30 },
  )
  .map((parts) => parts.flat());
