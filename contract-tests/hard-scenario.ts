import type { ScriptedStep } from './ai-sdk/provider-wires.ts';

/** The conversation in which adapters break first; the model is a script, everything else is real. */

/** The window of the model, which the provider holds it to. */
export const windowTokens = 32_000;

/** Text of about so many tokens. */
const textOf = (tokens: number, name: string): string =>
  Array.from({ length: tokens / 10 }, (_, at) => `${name} line ${String(at)} says so.`).join('\n');

const call = (id: string, name: string, input: object) => ({ id, name, input });

/** Long answers, three results at once, long arguments: the same round again and again. */
const roundOf = (round: number): readonly ScriptedStep[] => {
  const id = (name: string): string => `${name}${String(round)}`;
  return [
    {
      text: textOf(2500, id('thought')),
      calls: ['a', 'b', 'c'].map((part) => call(id(part), 'read', { part: id(part) })),
    },
    { calls: [call(id('w'), 'write', { path: 'out.txt', content: textOf(12_000, id('out')) })] },
    { text: textOf(3000, id('plan')), calls: [call(id('l'), 'look', { part: id('l') })] },
    { text: textOf(2000, id('answer')), calls: [] },
  ];
};

/** The long text comes in the fourth. The campaigns go on for two more. */
export const rounds = process.env['CTX_TEST_CAMPAIGN'] === '1' ? 6 : 4;

/** What the model says, request after request. */
export const script = Array.from({ length: rounds }, (_, round) => roundOf(round)).flat();

/** A part whose text is a megabyte. */
const hugePart = 'b3';

/** A line in the middle of that text, alike but for its number: it is only there when the whole is. */
export const hugeMarker = 'line 30007 says so.';

/** What the tool `read` returns. */
export function textOfPart(name: string): string {
  if (name !== hugePart) return textOf(9000, name);
  const half = textOf(220_000, name);
  return `${half}\n${name} ${hugeMarker}\n${half}`;
}

/** What the tool `look` returns. */
export function foundOf(name: string): { readonly found: string } {
  return { found: textOf(1500, name) };
}

/** What the user says in a round: in one of them, a paste of 20,000 tokens. */
export function asked(round: number): string {
  return round === 2 ? `Use this:\n${textOf(20_000, 'paste')}` : `Round ${String(round)}: go on.`;
}
