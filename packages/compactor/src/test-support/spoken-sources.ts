import { callsOf, type Message, type ToolResultBlock } from '@ctx/core';
import { stringLeaves } from '../reading/string-leaves.ts';

/** A call as the reading check sees it. */
export interface SourceCall {
  readonly name: string;
  readonly leaves: string;
  readonly input: unknown;
  readonly output: string;
  readonly isError: boolean;
}

/** Who said what in a conversation, without white space, read apart from the summariser's own code. */
export interface SpokenSources {
  /** What the user typed: outside of elements and whole messages of hosts. */
  readonly user: string;
  /** The same with its white space. */
  readonly typed: string;
  /** The message of the user that first asks for something; '' where that holds a document, or nothing tells. */
  readonly first: string;
  /** All texts in messages of the user. */
  readonly userMessages: string;
  readonly assistant: string;
  /** Arguments and results of tools. */
  readonly tools: string;
  /** Names of calls with their arguments as JSON. */
  readonly described: string;
  /** What the user said when refusing calls, in the words of known hosts. */
  readonly refusals: string;
  /** The newest text of the user after which nobody spoke; '' if it was answered. */
  readonly unanswered: string;
  /** The newest text of the assistant. */
  readonly lastSaid: string;
  /** Whether the assistant spoke last, without a call after it. */
  readonly isAnswered: boolean;
  readonly calls: readonly SourceCall[];
  /** The texts of the assistant, newest first, with the calls made in the same message and since. */
  readonly turns: readonly { readonly text: string; readonly callsSince: number }[];
}

/** Leaves out what differs between a text and its line in a summary: white space, marks that are broken up, the signs of a cut and of code. */
export function squeeze(text: string): string {
  return text.replace(/[\s<>\\…`]+/g, '');
}

const hostElement =
  /<([A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)+|INSTRUCTIONS)(?:\s[^>]*)?>[\s\S]*?<\/\1>/g;
/** What hosts append to results; other elements there are the tool's. */
const reminder = /<system-reminder>[\s\S]*?<\/system-reminder>/g;
const hostMessage =
  /^\s*(?:This session is being continued|Caveat: The messages below|Another language model started|Base directory for this skill)/;
const refused = /^The user (?:doesn't want to|rejected permission|denied this operation)/;

function textsOf({ content }: Pick<Message, 'content'> | ToolResultBlock): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** A command with a text of its own, as Claude Code 2 writes down that the user typed it. */
const typedCommand =
  /^\s*<command-message>[\s\S]*?<command-name>([\s\S]*?)<\/command-name>(?:\s*<command-args>([\s\S]*?)<\/command-args>)?/;

function typedIn(text: string): string {
  const [, name, args = ''] = typedCommand.exec(text) ?? [];
  if (name !== undefined) return `${name}\n${args}`;
  return hostMessage.test(text) ? '' : text.replace(hostElement, '\n');
}

/** The conversation without what Claude Code puts in the user's place behind a command that was typed, or a skill that was called. */
function withoutSkillTexts(messages: readonly Message[]): Message[] {
  let isNext = false;
  return messages.map((message) => {
    if (message.role !== 'user') isNext = false;
    const content = message.content.filter((part) => {
      const text = part.type === 'tool_result' ? textsOf(part) : '';
      if (part.type === 'tool_result') isNext = text.startsWith('Launching skill: ');
      if (part.type !== 'text' || message.role !== 'user') return true;
      const isCommand = typedCommand.test(part.text);
      const isOfHost = isNext && !isCommand;
      isNext = isCommand || (isNext && part.text.replace(reminder, '').trim() === '');
      return !isOfHost || isNext;
    });
    return { ...message, content };
  });
}

/** Longer texts may be documents, of which no program can tell what the user typed, characters. */
const document = 1200;

/** The first message with words that no host put in and that are no bare command of the host. */
function firstOf(messages: readonly Message[]): string {
  for (const { role, content } of messages) {
    const texts = content.flatMap((part) => (part.type === 'text' ? [typedIn(part.text)] : []));
    const own = texts.map((text) =>
      text.replace(/^# AGENTS\.md instructions for .*$/gm, '').trim(),
    );
    const isCommand = content.some((part) => part.type === 'text' && typedCommand.test(part.text));
    const asked = own.filter(
      (text) =>
        text !== '' &&
        !/^\[Request interrupted/.test(text) &&
        (isCommand || !/^\/[\w:-]{1,60}$/.test(text)),
    );
    if (role !== 'user' || asked.length === 0) continue;
    return own.some(({ length }) => length > document) ? '' : squeeze(asked.join('\n'));
  }
  return '';
}

/** What came back later of commands that ran on, by the call that began them: other calls name them as their result did. */
function laterResults(calls: readonly Called[]): ReadonlyMap<string, string> {
  const origins = new Map<string, string>();
  const later = new Map<string, string>();
  for (const { id, input, output } of calls) {
    const values = Object.values(typeof input === 'object' && input !== null ? input : {});
    const origin = values
      .map((value) => origins.get(String(value)))
      .find((one) => one !== undefined);
    if (origin !== undefined) later.set(origin, `${later.get(origin) ?? ''}\n${output}`);
    const name = /(?:session ID|background with ID:) ([\w-]+)/.exec(output.slice(0, 400))?.[1];
    if (name !== undefined && origin === undefined) origins.set(name, id);
  }
  return later;
}

/** An output that a program printed inside of a record. */
function printed(output: string): string {
  const [, text] = /"output": ?("(?:[^"\\]|\\.)*")/.exec(output) ?? [];
  return text === undefined ? '' : `\n${String(JSON.parse(text))}`;
}

interface Called extends Pick<SourceCall, 'name' | 'input' | 'output' | 'isError'> {
  readonly id: string;
}

function sourceCalls(messages: readonly Message[]): SourceCall[] {
  const results = new Map<string, ToolResultBlock>();
  for (const { content } of messages) {
    for (const block of content) {
      if (block.type === 'tool_result') results.set(block.toolUseId, block);
    }
  }
  const called = messages.flatMap(callsOf).map(({ id, name, input }): Called => {
    const result = results.get(id);
    const output = result === undefined ? '' : textsOf(result).replace(reminder, '\n');
    return { id, name, input, output, isError: result?.isError === true };
  });
  const later = laterResults(called);
  return called.map(({ id, output, ...call }) => ({
    ...call,
    output: `${output}${later.get(id) ?? ''}${printed(output)}`,
    leaves: stringLeaves(call.input).join('\n'),
  }));
}

function turnsOf(messages: readonly Message[]): SpokenSources['turns'] {
  let callsSince = 0;
  return messages.toReversed().flatMap((message) => {
    callsSince += callsOf(message).length;
    const turn = { text: squeeze(textsOf(message)), callsSince };
    return message.role === 'assistant' ? [turn] : [];
  });
}

/** Lines that Aider prints after an answer, and its commands. */
const printedByAider =
  /^(?:>{5,9} REPLACE|Tokens: .* sent, .*|Applied edit to .*|Committing .* before .*|Commit [0-9a-f]{7} .*|You can use \/undo .*|Diff since .*|\/[a-z]{1,20})$/gm;

/** Whether the last message of whom was heard is a text of the assistant without a call. */
function hasAnswered(messages: readonly Message[]): boolean {
  const last = messages.findLast(
    (message) =>
      message.role === 'assistant' ||
      typedIn(textsOf(message)).replace(printedByAider, '').trim() !== '',
  );
  return last?.role === 'assistant' && callsOf(last).length === 0;
}

/** The first line of each element to which a line of the user leads that ends with a colon. */
function titlesOfElements(text: string): string {
  return Array.from(
    text.matchAll(/:\s*\n<[a-z][\w-]*>\s*\n([^\n]*)/g),
    ([, title = '']) => title,
  ).join('\n');
}

/** Reads who said what. */
export function spokenSources(all: readonly Message[]): SpokenSources {
  const messages = withoutSkillTexts(all);
  const saidBy = (role: Message['role']): string[] =>
    messages.filter((message) => message.role === role).map((message) => textsOf(message));
  const calls = sourceCalls(messages);
  const typed = saidBy('user').map(typedIn);
  const last = messages.at(-1);
  const errors = calls.filter(({ isError, output }) => isError && refused.test(output));
  return {
    user: squeeze([...typed, ...saidBy('user').map(titlesOfElements)].join('\n')),
    typed: typed.join('\n'),
    first: firstOf(messages),
    userMessages: squeeze(saidBy('user').join('\n')),
    assistant: squeeze(saidBy('assistant').join('\n')),
    tools: squeeze(calls.map(({ leaves, output }) => `${leaves} ${output}`).join(' ')),
    described: calls.map(({ name, input }) => `${name} ${JSON.stringify(input)}`).join(' '),
    refusals: squeeze(errors.map(({ output }) => output).join('\n')),
    unanswered: last?.role === 'user' ? squeeze(typedIn(textsOf(last))) : '',
    lastSaid: squeeze(saidBy('assistant').findLast((text) => text.trim() !== '') ?? ''),
    isAnswered: hasAnswered(messages),
    calls,
    turns: turnsOf(messages),
  };
}
