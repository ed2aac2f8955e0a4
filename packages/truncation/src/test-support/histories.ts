import type { ContentBlock, Message } from '@ctx/core';
import fc from 'fast-check';
import {
  assistant,
  call,
  failed,
  image,
  result,
  system,
  text,
  thinking,
  user,
} from './messages.ts';

/** Tools as several agents call them, with their input for a path. */
const anyCall: fc.Arbitrary<(id: string) => ContentBlock> = fc
  .record({
    path: fc.constantFrom('a.ts', './a.ts', 'src//b.ts', 'src\\b.ts'),
    offset: fc.constantFrom(undefined, 1, 3, 500),
    kind: fc.nat(5),
  })
  .map(({ path, offset, kind }) => (id: string) => {
    if (kind === 0) return call(id, 'Bash', { command: 'ls' });
    if (kind === 1) return call(id, 'Edit', { file_path: path });
    if (kind === 2) return call(id, 'write_to_file', { path });
    if (kind === 3) return call(id, 'read_file', { path });
    return call(id, 'Read', { file_path: path, ...(offset === undefined ? {} : { offset }) });
  });

const anyOutput: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    'Error: no such file',
    '<file_content path="a.ts">nested</file_content>',
    `saved\n<final_file_content x="1" path="a.ts">\n${'new '.repeat(40)}\n</final_file_content>`,
    `[ctx: the whole result is kept elsewhere]`,
  ),
  fc.nat(60).map((count) => `${'line of the file\n'.repeat(count)}.`),
);

const anyWords: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('go on', 'why $& so?', '<file_content path="', "[read_file for 'a.ts'] Result:"),
  fc.nat(40).map((n) => `see <file_content path='a.ts'>${'x = 1;\n'.repeat(n)}</file_content> and`),
);

/** What becomes of one step of calls. */
const anyFate: fc.Arbitrary<'answered' | 'failed' | 'interrupted' | 'late' | 'spread'> =
  fc.constantFrom('answered', 'answered', 'answered', 'failed', 'interrupted', 'late', 'spread');

interface Step {
  readonly makers: readonly ((id: string) => ContentBlock)[];
  readonly outputs: readonly string[];
  readonly fate: 'answered' | 'failed' | 'interrupted' | 'late' | 'spread';
  readonly thinks: boolean;
  readonly words: string | undefined;
  readonly aside: number;
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  makers: fc.array(anyCall, { maxLength: 3 }),
  outputs: fc.array(anyOutput, { minLength: 3, maxLength: 3 }),
  fate: anyFate,
  thinks: fc.boolean(),
  words: fc.option(anyWords, { nil: undefined }),
  aside: fc.nat(9),
});

function answersOf(step: Step, ids: readonly string[]): Message[] {
  const results = ids.map((id, index) => {
    const output = step.outputs[index] ?? 'done';
    if (step.fate === 'failed') return failed(id, output);
    return result(id, index === 1 ? [text(output), image()] : output);
  });
  if (ids.length === 0 || step.fate === 'interrupted') return [user(step.words ?? 'stop')];
  const words = step.words === undefined ? [] : [text(step.words)];
  if (step.fate !== 'spread') return [user(...results, ...words)];
  return [...results.map((block) => user(block)), ...(words.length > 0 ? [user(...words)] : [])];
}

function messagesOf(step: Step, number: number): Message[] {
  const ids = step.makers.map((_, index) => `call-${number}-${index}`);
  const calls = step.makers.map((make, index) => make(ids[index] ?? ''));
  const says = calls.length === 0 ? [text('done')] : calls;
  const asked = assistant(...(step.thinks ? [thinking()] : []), ...says);
  const answers = answersOf(step, ids);
  const late = step.fate === 'late' ? [user('one moment'), assistant('waiting')] : [];
  const aside = step.aside === 0 ? [system('be brief')] : [];
  return [asked, ...late, ...answers, ...aside, ...(step.aside === 1 ? [assistant('and')] : [])];
}

/**
 * Conversations as agents leave them: parallel, late, failed, interrupted calls, results spread over messages, thinking, images,
 * system messages half-way, two assistants in a row, a leading system message or assistant.
 */
export const anyHistory: fc.Arbitrary<Message[]> = fc
  .record({
    lead: fc.nat(9),
    task: anyWords,
    steps: fc.array(anyStep, { maxLength: 12 }),
  })
  .map(({ lead, task, steps }) => [
    ...(lead === 0 ? [system('you are careful')] : []),
    ...(lead === 1 ? [assistant('hello')] : []),
    user(task),
    ...steps.flatMap(messagesOf),
  ]);
