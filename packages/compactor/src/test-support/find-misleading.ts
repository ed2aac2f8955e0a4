import type { Message } from '@ctx/core';
import { codedInput } from '../reading/coded-input.ts';
import { commandOf } from '../reading/command-of.ts';
import { commandLine } from '../reading/commands.ts';
import { type SourceCall, type SpokenSources, spokenSources, squeeze } from './spoken-sources.ts';

/** A statement of a summary that its conversation does not bear out. */
export interface Misleading {
  readonly section: string;
  readonly line: string;
  readonly why: string;
}

/** What is wrong with a line; `undefined` if its conversation bears it out. */
type Check = (line: string, sources: SpokenSources) => string | undefined;

function isIn(line: string, said: string): boolean {
  return said.includes(squeeze(line)) || said.includes(squeeze(line.replace(/^- /, '')));
}

function spoken(line: string, said: string, why: string): string | undefined {
  return isIn(line, said) ? undefined : why;
}

/** A line that ends inside of a word of the user without saying so. */
function isCutOff(line: string, typed: string): boolean {
  const isLetter = (text = ''): boolean => /[\p{L}\p{N}]/u.test(text);
  const places = [];
  for (let at = typed.indexOf(line); at !== -1; at = typed.indexOf(line, at + 1)) places.push(at);
  const goOn = places.filter((at) => isLetter(typed[at + line.length]));
  return isLetter(line.at(-1)) && places.length > 0 && goOn.length === places.length;
}

const goal: Check = (line, { user, typed, first }) => {
  const words = line.replace(/^(?:First|Earlier|Newest) request: /, '');
  if (isCutOff(words, typed)) return 'a word of the user is cut without a sign';
  if (line.startsWith('First request: ') && first !== '' && !isIn(words, first)) {
    return 'the user said something else first';
  }
  return spoken(words, user, 'the user did not say this');
};

const constraint: Check = (line, sources) => {
  const refusal = /^on refusing .*?: /.test(line);
  if (!refusal) return goal(line, sources);
  const isSaid = endings(line).some((words) => isIn(words, sources.refusals));
  return isSaid ? undefined : 'nobody said this when refusing a call';
};

/** What stands after each colon of a line. */
function endings(line: string): string[] {
  return Array.from(line.matchAll(/: /g), ({ index }) => line.slice(index + 2));
}

const decision: Check = (line, { user, assistant }) => {
  const [, role = '', words = ''] = /^(user|assistant): ([\s\S]*)$/.exec(line) ?? [];
  if (role === '') return 'nobody is named who decided';
  if (/[?:][*_`]*$/.test(words)) return 'a question or a title decides nothing';
  return spoken(words, role === 'user' ? user : assistant, `the ${role} did not say this`);
};

/** Shows by itself that something ended well; kept apart from the table of the summariser. */
const success =
  /\bpass(?:ed|ing)\b|^\s*ok\b|\bOK\b|\bDone in\b|\bFinished\b|[Ss]uccess|^\[[^\]]+ [0-9a-f]{7,}\]|up[ -]to[ -]date|^(?:added|changed|removed) \d|Switched to|nothing to commit|[0-9a-f]{7,}\.\.[0-9a-f]{7,}|\b0 errors\b|^0 issues\.$|No fixes applied|new (?:branch|tag)|\bdone\s*$/m;
const failure =
  /^\s*(?:FAIL\b|--- FAIL|[1-9]\d* failing)|\b[1-9]\d* failed\b|\berror TS\d|^npm (?:ERR!|error)|^fatal: |Traceback \(most recent|^panic: |test result: FAILED|make(?:\[\d+\])?: \*\*\*|ELIFECYCLE|command not found|No such file or directory|Permission denied|^error(?:\[E\d+\])?:|^ERROR\b|\b[1-9]\d* errors?\b|^\S+\.go:\d+:\d+: |CONFLICT|rejected\]|Killed|timed out|^FAILED |^Command failed|: not found$|Not a directory|Is a directory|Segmentation fault|Aborted|^ ?ERR_|^apply_patch verification failed|^No replacement was performed|^Parameter |^(?:Process exited with|Exit) code:? [1-9]|"exit_?[cC]ode": ?[1-9]/m;

const command: Check = (line, { calls }) => {
  const [, text = '', outcome = ''] = /^(?:- (?=#))?([\s\S]*) \(([^()]*)\)$/.exec(line) ?? [];
  const ran = calls.findLast(({ input }) => {
    const run = codedInput(input)?.command ?? commandOf(input);
    return run !== undefined && squeeze(commandLine(run)) === squeeze(text);
  });
  if (ran === undefined) return 'no such command ran';
  const { output, isError } = ran;
  const exit = /^exit (-?\d+)$/.exec(outcome)?.[1];
  if (exit !== undefined) {
    const names = new RegExp(`(?:exit|code|status)\\D{0,20}${exit}\\b`, 'i');
    return names.test(output) ? undefined : 'the output names no such exit code';
  }
  if (outcome === 'refused by the user') return isError ? undefined : 'the call was not refused';
  const hasFailed = isError || failure.test(output);
  if (outcome === 'failed') return hasFailed ? undefined : 'the output shows no failure';
  if (outcome !== 'ok') return outcome === 'outcome not shown' ? undefined : 'no outcome is named';
  if (hasFailed) return 'the output shows a failure';
  const isShown = success.test(output) || /(?:exit|code|status)\D{0,20}0\b/i.test(output);
  return isShown ? undefined : 'the output shows no success';
};

const done: Check = (line, sources) => {
  const path = /^edited (.+)$/.exec(line)?.[1];
  if (path === undefined) return command(line, sources);
  const edited = sources.calls.some(({ leaves, isError }) => !isError && leaves.includes(path));
  return edited || command(line, sources) === undefined ? undefined : 'no edit of it succeeded';
};

/** The entries of the newest plan that a tool was given as a list. */
function newestPlan({ calls }: SpokenSources): readonly string[] {
  for (const { input } of calls.toReversed()) {
    const lists = Object.values(typeof input === 'object' && input !== null ? input : {});
    const plan = lists.find(
      (list: unknown): list is object[] =>
        Array.isArray(list) &&
        list.some((one) => typeof one === 'object' && one !== null && 'status' in one),
    );
    if (plan !== undefined) return plan.map((entry) => squeeze(JSON.stringify(entry)));
  }
  return [];
}

const doing: Check = (line, sources) => {
  if (line.startsWith('planned: ')) {
    return spoken(line.slice(9), sources.assistant, 'the assistant did not plan this');
  }
  const [, status = '', words = ''] = /^\[([^\]]*)\] ([\s\S]*)$/.exec(line) ?? [];
  if (/^(?:completed?|done|cancelled|finished)$/i.test(status)) return 'the task is finished';
  const task = squeeze(JSON.stringify(words).slice(1, -1));
  const entry = newestPlan(sources).find((one) => one.includes(task));
  if (entry !== undefined && !entry.includes(`"status":"${status}"`)) {
    return 'the newest plan has another status';
  }
  return spoken(words, sources.tools, 'no tool was given this task');
};

/** Whether the newest run of the command or edit of the file that an error is about went well. */
function wentWell(line: string, calls: readonly SourceCall[]): boolean {
  const subject = line.replace(/^\d+ calls ago, /, '');
  const last = calls.findLast(({ name, input }) => {
    const run = codedInput(input)?.command ?? commandOf(input);
    return run !== undefined && subject.startsWith(`${name} ${commandLine(run)}: `);
  });
  if (last === undefined || last.isError || failure.test(last.output)) return false;
  return success.test(last.output);
}

const blocked: Check = (line, { calls }) => {
  if (wentWell(line, calls)) return 'it went well since';
  const isShown = endings(line).some((words) =>
    calls.some(
      ({ output, isError }) =>
        (isError || failure.test(output) || output.startsWith('Error: ')) &&
        output.split('\n').some((one) => squeeze(one).startsWith(squeeze(words))),
    ),
  );
  return isShown ? undefined : 'no failed call shows this error';
};

const next: Check = (line, sources) => {
  const asked = /^The user asked, unanswered: ([\s\S]*)$/.exec(line)?.[1];
  if (asked !== undefined) return spoken(asked, sources.unanswered, 'the user was answered');
  const [, began, said] =
    /^(?:The|Before (\S+) calls?, .*, the) assistant said: ([\s\S]*)$/.exec(line) ?? [];
  if (said !== undefined) {
    const turn = sources.turns.find(({ text }) => text.includes(squeeze(said)));
    if (turn !== undefined && turn.callsSince !== (began === 'one' ? 1 : Number(began ?? 0))) {
      return 'another number of calls was made since';
    }
    return spoken(said, sources.assistant, 'the assistant did not say this');
  }
  const question = /^The assistant asked: ([\s\S]*)$/.exec(line)?.[1];
  if (question !== undefined) return spoken(question, sources.lastSaid, 'it did not end so');
  if (line.startsWith('The assistant answered last; ')) {
    return sources.isAnswered ? undefined : 'it did not speak last';
  }
  const workedFor = /^Before (?:one call|\d+ calls), .*, the user asked: ([\s\S]*)$/.exec(
    line,
  )?.[1];
  if (workedFor !== undefined) return goal(workedFor, sources);
  const open = /^Open in the plan: ([\s\S]*)$/.exec(line)?.[1];
  return open === undefined ? goal(line, sources) : doing(open, sources);
};

const file: Check = (line, { calls }) => {
  const path = /^(?:read|changed) (.+?)(?: → \S+)?$/.exec(line)?.[1];
  if (path === undefined) return 'it names no file';
  return calls.some(({ leaves }) => leaves.includes(path)) ? undefined : 'no call named this file';
};

/** A line that describes a call is put together from its name and its arguments. */
function describesCall(line: string, { calls, described }: SpokenSources): boolean {
  const words = line.match(/[\p{L}\p{N}_]{4,}/gu) ?? [];
  const isNamed = calls.some(({ name }) => line.startsWith(name));
  return isNamed && words.every((word) => described.includes(word));
}

const fromTools: Check = (line, sources) => {
  const isShown =
    isIn(line, sources.tools) ||
    describesCall(line, sources) ||
    blocked(line, sources) === undefined; // An error in the summary before.
  return isShown ? undefined : 'no tool was given or returned this';
};

const saidByAssistant: Check = (line, { assistant }) =>
  spoken(line, assistant, 'the assistant did not say this');

/** What stands under the titles of a quote. */
function checkOfGroup(group: string): Check {
  if (group === 'Said by the assistant' || group === 'said by the assistant') {
    return saidByAssistant;
  }
  if (group === 'Said by the user' || group === 'said by the user') return goal;
  if (group === 'in messages of the user, not in their own words') {
    return (line, { userMessages }) => spoken(line, userMessages, 'no message of the user has it');
  }
  if (group === 'also named') return () => undefined;
  if (group === 'in the summary before') {
    return (line, sources) =>
      file(line, sources) === undefined ? undefined : fromTools(line, sources);
  }
  return fromTools;
}

function checkOf(section: string, group: string): Check {
  const checks: Readonly<Record<string, Check>> = {
    ...{ Goal: goal, 'Constraints and preferences': constraint, Decisions: decision },
    ...{ 'Next step': next, 'Relevant files': file },
    ...{ Done: done, Doing: doing, Blocked: blocked },
  };
  return checks[section] ?? checkOfGroup(group);
}

/**
 * Classifies each statement of a summary without a model and returns those that its conversation does not bear out: a goal that the user
 * did not state, an outcome without evidence, a line under another speaker.
 */
export function findMisleading(summary: string, messages: readonly Message[]): Misleading[] {
  const sources = spokenSources(messages);
  const found: Misleading[] = [];
  let [section, group, isQuoted] = ['', '', false];
  for (const line of summary.split('\n')) {
    const title = /^#{2,3} (.+)$/.exec(line)?.[1];
    if (/^<<<data \S+$/.test(line)) isQuoted = true;
    else if (/^data \S+>>>$/.test(line)) isQuoted = false;
    else if (title === undefined) {
      if (line === '' || line === '- none') continue;
      const why = checkOf(section, group)(line, sources);
      if (why !== undefined) found.push({ section: group === '' ? section : group, line, why });
    } else if (isQuoted || /^Said by the (?:user|assistant)$/.test(title)) group = title;
    else [section, group] = [title, ''];
  }
  return found;
}
