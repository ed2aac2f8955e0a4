/** What every host's agent does here: the model is a script, everything else is real. */

/** One call of a tool. */
export interface ScriptedCall {
  readonly id: string;
  readonly name: 'read_log' | 'add' | 'fail';
  readonly input: { readonly step: number };
}

/** How many steps the agent takes before it answers. */
export const scenarioSteps = 60;

/** The step whose tool returns a megabyte. */
export const hugeStep = 20;

/** A line in the middle of the huge output, alike but for its number: it is only there when the whole is. */
export const hugeMarker = `step ${String(hugeStep)} line 30007 of the log`;

function isParallel(step: number): boolean {
  return step % 5 === 0;
}

/** The calls that the model makes in a step, from 1. */
export function callsOfStep(step: number): readonly ScriptedCall[] {
  const call = (name: ScriptedCall['name'], suffix = ''): ScriptedCall => ({
    id: `call-${String(step)}${suffix}`,
    name,
    input: { step },
  });
  if (step % 13 === 0) return [call('fail')];
  return isParallel(step) ? [call('read_log'), call('add', 'b')] : [call('read_log')];
}

/** What `read_log` returns. */
export function logOfStep(step: number): string {
  const line = (index: number): string => `step ${String(step)} line ${String(index)} of the log`;
  if (step !== hugeStep) return Array.from({ length: 60 }, (_, index) => line(index)).join('\n');
  const half = Array.from({ length: 18_000 }, (_, index) => line(index)).join('\n');
  return `${half}\n${hugeMarker}\n${half}`;
}
