import { bytesText, countedText, countText } from '@ctx/core/encoding';
import type { CommandContext } from '../command-context.ts';
import type { RetentionAnswer, RetentionRule } from '../schemas/store.ts';

/** What a retention lets go, or would. */
export type RetentionWork = Omit<RetentionAnswer, 'store' | 'policy' | 'outcome'>;

const columns = [{ title: 'limit' }, { title: 'is' }, { title: 'set by' }] as const;

const ruleNames: Readonly<Record<string, string>> = {
  maxAge: 'age',
  maxBytes: 'size of outputs',
  checkpoints: 'checkpoints of an agent',
};

/** Shows the limits and what is beyond them. */
export async function showRetentionPlan(
  context: CommandContext,
  rules: readonly RetentionRule[],
  planned: RetentionWork,
): Promise<void> {
  const rows = rules.map(({ rule, value, origin }) => [
    ruleNames[rule] ?? rule,
    value ?? 'none',
    value === undefined ? '' : origin,
  ]);
  await context.table(columns, rows);
  const { outputs, checkpoints, bytesBefore, bytesAfter, keptPinned } = planned;
  const leaving = `${countedText(outputs, 'output')} (${bytesText(bytesBefore - bytesAfter)}) and ${countedText(checkpoints, 'checkpoint')}`;
  await context.print(`Beyond the limits: ${leaving}.\n`);
  if (keptPinned > 0) {
    await context.say(`${countText(keptPinned)} pinned outputs are beyond them, too, and stay.`);
  }
}

/** Says what was done. A server rewrites its pages by itself, in its own time. */
export async function showRetentionDone(
  context: CommandContext,
  answer: RetentionAnswer,
  isServer: boolean,
): Promise<void> {
  const { outcome, wrote, outputs, checkpoints, bytesAfter, traceless } = answer;
  if (wrote !== undefined)
    return context.say(`Written to ${wrote}. \`ctx retention run\` keeps to it.`);
  if (outcome === 'planned') return context.say('`ctx retention run` destroys that.');
  if (outcome !== 'done') return;
  const what = `${countedText(outputs, 'output')} and ${countedText(checkpoints, 'checkpoint')}`;
  await context.print(`Destroyed ${what}; ${bytesText(bytesAfter)} of outputs are left.\n`);
  if (traceless === true || isServer) return;
  await context.say(
    'Another process has the file open: run `ctx purge --residue` when it has ended.',
  );
}
