import { isDecision, isRule } from '../../ledger/rules-and-decisions.ts';
import { ranCommands } from '../../reading/commands.ts';
import { newTextOf } from '../../reading/edit-text.ts';
import { touchedFiles } from '../../reading/files.ts';
import type { History } from '../../reading/history.ts';
import { openErrors } from '../../reading/open-errors.ts';
import { isFinishedStatus, latestPlan, latestSteps } from '../../reading/plans.ts';
import { saidSentences } from '../../reading/sentences.ts';
import { typedText } from '../../reading/typed-text.ts';
import { linesOfText } from './split-lines.ts';

/** What a summary without a model may draw on, as lines, the most wanted first. */
export interface GatheredLines {
  readonly task: readonly string[];
  readonly plan: readonly string[];
  /** One list an edit, newest first; each begins with its path. */
  readonly edits: readonly (readonly string[])[];
  readonly userTexts: readonly string[];
  readonly files: readonly string[];
  readonly errors: readonly string[];
  readonly commands: readonly string[];
  readonly tasks: readonly string[];
  readonly rules: readonly string[];
  readonly decisions: readonly string[];
}

/** Longest piece of one text of the user, characters. */
const maxUserText = 400;

/** Cost: a few passes over the calls and over what was said; results are looked at only where a call failed. */
export function gatherLines(history: History): GatheredLines {
  const texts = history.texts.filter(({ role }) => role === 'user').map(({ text }) => text);
  const own = texts.map(typedText).filter((words) => words !== '');
  const said = saidSentences(history).reverse();
  return {
    task: linesOfText(texts.find((text) => typedText(text) !== '') ?? texts[0] ?? ''),
    plan: latestPlan(history),
    edits: history.calls
      .filter(({ access, isError }) => access?.access === 'edit' && !isError)
      .reverse()
      .map(({ path, input }) => [`${path ?? ''}:`, ...linesOf(newTextOf(input) ?? '')]),
    userTexts: own.toReversed().flatMap((text) => linesOf(text.slice(0, maxUserText))),
    files: touchedFiles(history).map(
      ({ path, wasChanged, pointer }) =>
        `${wasChanged ? 'changed' : 'read'} ${path}${pointer === undefined ? '' : ` → ${pointer}`}`,
    ),
    errors: openErrors(history).map(({ subject, text }) => `${subject}: ${text}`),
    commands: ranCommands(history).map(
      ({ command, exitCode, failed }) =>
        `${command} (${exitCode === undefined ? (failed ? 'failed' : 'ok') : `exit ${exitCode}`})`,
    ),
    tasks: latestSteps(history)
      .filter(({ status }) => !isFinishedStatus(status))
      .map(({ text, status }) => `[${status}] ${text}`),
    rules: said.filter(({ role, text }) => role === 'user' && isRule(text)).map(({ text }) => text),
    decisions: said.filter(({ text }) => isDecision(text)).map(({ text }) => text),
  };
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
