import type { ContextManager } from '@ctx/agent-adapter';
import { logOfStep, scenarioSteps } from './agent-scenario.ts';

/** Steps of the scenario whose log is not kept whole exactly once. Steps whose tool fails have none. */
export async function stepsNotKeptOnce(manager: ContextManager): Promise<readonly number[]> {
  const pointers = await manager.getAllPointers();
  const outputs = await manager.loadContexts(pointers.map(({ id }) => id));
  const logs = outputs.map(({ result }) => result);
  const steps = Array.from({ length: scenarioSteps }, (_, index) => index + 1);
  return steps.filter(
    (step) => step % 13 !== 0 && logs.filter((log) => log === logOfStep(step)).length !== 1,
  );
}
