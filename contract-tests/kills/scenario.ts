import type { ScriptedStep } from '../ai-sdk/provider-wires.ts';
import { asked, hugeMarker, rounds, script, windowTokens } from '../hard-scenario.ts';

/** A conversation: what the host says, what the model does, and the window of the model. */
export interface Scenario {
  readonly windowTokens: number;
  readonly rounds: number;
  readonly said: (round: number) => string;
  /** What the model does at its nth answer, which may depend on the request. */
  readonly step: (request: string, count: number) => ScriptedStep;
}

const done: ScriptedStep = { text: 'done', calls: [] };

/** Reads a long text, reads a line of it back, reads more, and answers, again and again. */
function lightStep(request: string, count: number): ScriptedStep {
  const id = `light${String(count)}`;
  const [pointer] = /ctx:\/\/outputs\/[\w-]+/.exec(request) ?? [];
  const part = { part: count === 1 ? 'b3' : id };
  const steps: readonly ScriptedStep[] = [
    {
      calls: [
        { id, name: 'read', input: part },
        { id: `${id}b`, name: 'look', input: { part: id } },
      ],
    },
    { calls: [{ id, name: 'ctx_read_output', input: { pointer, pattern: hugeMarker } }] },
    { text: 'once more', calls: [{ id, name: 'look', input: { part: id } }] },
    { text: `answer ${String(count)}`, calls: [] },
  ];
  return steps[(count - 1) % steps.length] ?? done;
}

/** The hard one flushes what no longer fits; in the light one everything stays, so that each request extends the one before. */
export const scenarios = {
  hard: { windowTokens, rounds, said: asked, step: (_request, count) => script[count - 1] ?? done },
  light: {
    ...{ windowTokens: 200_000, rounds: 3, step: lightStep },
    said: (round) => `Round ${String(round)}: go on.`,
  },
} satisfies Readonly<Record<string, Scenario>>;
