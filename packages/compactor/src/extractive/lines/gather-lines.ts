import { speech } from '@ctx/store';
import { isDecision } from '../../ledger/decisions.ts';
import { hasFailed, ranCommands } from '../../reading/commands.ts';
import { newTextOf } from '../../reading/edit-text.ts';
import { touchedFiles, wholePaths } from '../../reading/files.ts';
import type { History, HistoryCall } from '../../reading/history.ts';
import { type OpenError, openErrors, subjectOf } from '../../reading/outcomes/open-errors.ts';
import { outcomeText } from '../../reading/outcomes/outcomes.ts';
import { isFinishedStatus, latestPlan, latestSteps } from '../../reading/plans.ts';
import {
  type Intention,
  isSlight,
  lastIntention,
  lastWord,
  type Requests,
  requestsOf,
} from '../../reading/said/requests.ts';
import { type Sentence, saidSentences } from '../../reading/said/sentences.ts';
import { cutWords } from './cut-words.ts';
import { linesOfText } from './split-lines.ts';

/** What a summary without a model may draw on, as lines, the most wanted first. */
export interface GatheredLines {
  /** The first request, then the newest. */
  readonly task: readonly string[];
  /** What the user said when refusing calls, newest first. */
  readonly refusals: readonly string[];
  /** A list that the assistant wrote about what it will do, where it keeps no plan with a tool. */
  readonly plan: readonly string[];
  /** The new text of edits, one block an edit, newest first. */
  readonly edits: readonly EditText[];
  /** The files that were edited, the newest first. */
  readonly edited: readonly string[];
  readonly userTexts: readonly string[];
  /** In which order the user said their lines and sentences. */
  readonly places: ReadonlyMap<string, number>;
  readonly files: readonly string[];
  readonly errors: readonly string[];
  readonly commands: readonly string[];
  readonly tasks: readonly string[];
  /** The next step, as the user or the assistant stated it. */
  readonly next: readonly string[];
  readonly rules: readonly string[];
  readonly decisions: readonly string[];
}

/** The new text of one edit. */
export interface EditText {
  readonly path: string;
  readonly lines: readonly string[];
}

/** What a summary before names as its goal, without labels. */
export interface EarlierGoal {
  readonly first: readonly string[];
  /** The request that it names last, if that stands alone. */
  readonly task: readonly string[];
}

/** What a summary draws on, and the conversation around it: what stays before it and after it. */
export interface GatheredFrom {
  readonly history: History;
  /** With what stays: goals, plans and errors are those of the whole. */
  readonly whole: History;
  /** The goal of the summary before, without its labels. */
  readonly earlierGoal: EarlierGoal;
  /** The constraints of the summary before, refusals among them. */
  readonly earlierRules: readonly string[];
}

/** Longest piece of one text of the user, characters. */
const maxUserText = 400;

/** Labels of the lines of a goal. A summary of a summary finds them again. */
export const goalLabels = {
  first: 'First request: ',
  task: 'Earlier request: ',
  newest: 'Newest request: ',
} as const;

/** The label stands before the first line of a request. */
function labelled(label: string, text: string): string[] {
  return linesOfText(text).map((line, index) => (index === 0 ? `${label}${line}` : line));
}

/** The first request of the session stays the first, from one compaction to the next; so does the one that a short word goes on with. */
function goalLines({ first, task, newest }: Requests, earlier: EarlierGoal): string[] {
  const start = earlier.first.length === 0 ? first : earlier.first.join('\n');
  const last = newest === '' && first !== start ? first : newest;
  const before = task === '' && isSlight(last) ? earlier.task.join('\n') : task;
  return [
    ...labelled(goalLabels.first, start),
    ...(before === start ? [] : labelled(goalLabels.task, before)),
    ...labelled(goalLabels.newest, last),
  ];
}

/** Begins the line of a refusal. */
const refusing = 'on refusing ';

function refusalLines({ calls }: History): string[] {
  return calls.toReversed().flatMap((call) => {
    const { refusal = '' } = call;
    return refusal === '' ? [] : [`${refusing}${subjectOf(call)}: ${oneLine(refusal)}`];
  });
}

const isRefusal = (line: string): boolean => line.startsWith(refusing);

function openSteps(whole: History): string[] {
  return latestSteps(whole)
    .filter(({ status }) => !isFinishedStatus(status))
    .map(({ text, status }) => `[${status}] ${text}`);
}

/** What stands where the assistant answered and nothing is open. */
const answeredLine = 'The assistant answered last; the user has asked for nothing since.';

/** The newest request, or the only one, that is open; a short answer to a question is one, too. '' if there is none. */
function unansweredIn({ first, newest, isUnanswered }: Requests, isAnswer: boolean): string {
  if (isUnanswered) return newest === '' ? first : newest;
  return isAnswer ? newest : '';
}

/**
 * A question that the assistant asked comes first, then the unanswered request, the first open step, and what the assistant meant to do and
 * whether it began; without any of them, the request that calls were made for, or that it was answered.
 */
function nextLines(whole: History, requests: Requests): string[] {
  const intention = lastIntention(whole);
  const { question, isLast } = lastWord(whole);
  const asked = unansweredIn(requests, question !== '' && !isLast);
  const found = [
    ...(question === '' ? [] : [`The assistant asked: ${question}`]),
    ...labelled('The user asked, unanswered: ', asked),
    ...openSteps(whole)
      .slice(0, 1)
      .map((step) => `Open in the plan: ${step}`),
    ...(intention === undefined ? [] : [intentionLine(intention)]),
  ];
  if (found.length > 0) return found;
  return isLast ? [answeredLine] : workedFor(requests);
}

/** The request for which the assistant made calls without a word. */
function workedFor({ first, newest, calls }: Requests): string[] {
  const [line] = linesOfText(newest === '' ? first : newest);
  if (line === undefined || calls.length === 0) return [];
  return [`${sinceThen(calls)} the user asked: ${line}`];
}

/** Longest name of a call in the line of a step, characters. */
const maxSubject = 120;

/** A step that was announced before calls that have come back may be done: the line says which calls. */
function intentionLine({ text, calls }: Intention): string {
  if (calls.length === 0) return `The assistant said: ${text}`;
  return `${sinceThen(calls)} the assistant said: ${text}`;
}

function sinceThen(calls: readonly HistoryCall[]): string {
  const last = calls.at(-1);
  if (last === undefined) return '';
  const before = calls.length === 1 ? 'one call' : `${String(calls.length)} calls`;
  const subject = cutWords(subjectOf(last), maxSubject);
  return `Before ${before}, the last ${subject} ${outcomeText(last)},`;
}

/** From so many calls on, an error says how long ago it was met. */
const longAgo = 10;

function errorLine({ subject, text, callsSince }: OpenError): string {
  const met = callsSince < longAgo ? '' : `${String(callsSince)} calls ago, `;
  return `${met}${subject}: ${text}`;
}

function decisionLines(said: readonly Sentence[]): string[] {
  return said.filter(({ text }) => isDecision(text)).map(({ role, text }) => `${role}: ${text}`);
}

/** Makes a few passes over the calls and over what was said; results are looked at only where a call failed. */
export function gatherLines(from: GatheredFrom): GatheredLines {
  const { history, whole, earlierGoal, earlierRules } = from;
  const own = history.texts
    .map(({ role, text }) => (role === 'user' ? speech.typedText(text) : ''))
    .filter((words) => words !== '');
  const said = saidSentences(history).reverse();
  const requests = requestsOf(whole);
  const edits = history.calls
    .filter(
      (call) => call.access?.access === 'edit' && call.result !== undefined && !hasFailed(call),
    )
    .reverse()
    .flatMap(editTexts);
  const wholePath = wholePaths(history.calls);
  return {
    task: goalLines(requests, earlierGoal),
    refusals: [...refusalLines(history), ...earlierRules.filter(isRefusal)],
    plan: latestSteps(whole).length > 0 ? [] : latestPlan(whole),
    edits,
    edited: [...new Set(edits.map(({ path }) => wholePath(path)))]
      .filter((path) => path !== '')
      .map((path) => `edited ${path}`),
    userTexts: own.toReversed().flatMap(beginningOf),
    places: placesOf(own),
    files: touchedFiles(history).map(
      ({ path, wasChanged, pointer }) =>
        `${wasChanged ? 'changed' : 'read'} ${path}${pointer === undefined ? '' : ` → ${pointer}`}`,
    ),
    errors: openErrors(whole).map(errorLine),
    commands: ranCommands(history)
      .filter(({ onlyRead }) => !onlyRead)
      .map(({ command, outcome }) => `${command} ${outcome}`),
    tasks: openSteps(whole),
    next: nextLines(whole, requests),
    rules: [
      ...said
        .filter(({ role, text }) => role === 'user' && speech.isRule(text))
        .map(({ text }) => text),
      ...earlierRules.filter((line) => !isRefusal(line)),
    ],
    decisions: decisionLines(said),
  };
}

/** The new text of an edit; a patch is one edit of each of its files. */
function editTexts({ path = '', input, patched }: HistoryCall): EditText[] {
  const whole = { path, lines: (newTextOf(input) ?? '').split('\n') };
  return (patched ?? [whole]).map((file) => ({
    path: file.path,
    lines: linesOf(file.lines.join('\n')),
  }));
}

function placesOf(own: readonly string[]): Map<string, number> {
  const lines = own.flatMap((text) =>
    [text, text.slice(0, maxUserText)].flatMap((words) => [
      ...linesOfText(words),
      ...beginningOf(words),
      ...speech.sentencesOf(words),
    ]),
  );
  return new Map(lines.map((line, place) => [line, place]));
}

/** The first lines of a text; one that is too long by itself is cut, which it shows. */
function beginningOf(text: string): string[] {
  const lines = linesOf(text);
  let room = maxUserText;
  const end = lines.findIndex((line) => (room -= line.length + 1) < 0);
  if (end > 0) return lines.slice(0, end);
  const [first = ''] = lines;
  return end === 0 ? [cutWords(first, maxUserText)] : lines;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
