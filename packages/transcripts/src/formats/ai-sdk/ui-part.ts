import type { Extra, ResultBlock, ToolResultBlock, ToolUseBlock } from '@ctx/core';
import {
  defined,
  fieldOf,
  isJsonEqual,
  isRecord,
  type JsonRecord,
  parseJson,
  textAt,
  withoutKeys,
} from '../../values.ts';
import { extraFor } from '../shared/content-form.ts';

/** How a tool call of a user interface is laid out. */
export interface ToolLayout {
  readonly inputKey: string;
  readonly outputKey: string;
  /** The state of a call that has its output. */
  readonly doneState: string;
  /** The state of a call that waits for its output. */
  readonly openState: string;
  /** The state of a call that failed; absent where the layout has none. */
  readonly errorState: 'output-error' | undefined;
  readonly nameKey: 'toolName' | undefined;
}

/** A part `tool-<name>` of version 5 and later. */
export const namedLayout: ToolLayout = {
  inputKey: 'input',
  outputKey: 'output',
  doneState: 'output-available',
  openState: 'input-available',
  errorState: 'output-error',
  nameKey: undefined,
};

/** A part `dynamic-tool` of version 5 and later. */
export const dynamicLayout: ToolLayout = { ...namedLayout, nameKey: 'toolName' };

/** A tool invocation of version 4. */
export const invocationLayout: ToolLayout = {
  inputKey: 'args',
  outputKey: 'result',
  doneState: 'result',
  openState: 'call',
  errorState: undefined,
  nameKey: 'toolName',
};

/** A call with its result, where it has one. */
export interface ReadTool {
  readonly call: ToolUseBlock;
  readonly result: ToolResultBlock | undefined;
}

/** The text of a refused result without a reason. */
export const deniedText = 'Tool execution denied.';

/** What is read besides the tool itself. */
export interface ToolSource {
  readonly format: string;
  readonly layout: ToolLayout;
  readonly name: string;
  /** What tells how the part stood, for the way back. */
  readonly extra: Extra;
}

/** Reads the body of a tool part; `undefined` where it has no id. */
export function readTool(body: JsonRecord, source: ToolSource): ReadTool | undefined {
  const id = textAt(body, 'toolCallId');
  if (id === undefined) return undefined;
  const { format, layout, name } = source;
  const outcome = readOutcome(body, layout);
  const known = ['toolCallId', layout.inputKey, ...(outcome?.keys ?? [])];
  const fields = withoutKeys(body, layout.nameKey === undefined ? known : [...known, 'toolName']);
  const { input, extra } = readInput(body, source);
  return {
    call: { type: 'tool_use', id, name, input, ...extraFor(format, extra, fields) },
    result: outcome && resultOf(id, outcome, format),
  };
}

function readInput(
  body: JsonRecord,
  { layout, extra }: ToolSource,
): { readonly input: unknown; readonly extra: Extra } {
  const hasInput = Object.hasOwn(body, layout.inputKey);
  const input = hasInput ? body[layout.inputKey] : (fieldOf(body, 'rawInput') ?? {});
  const kept = {
    ...extra,
    ...(hasInput ? {} : { absentInput: input }),
    ...(Object.hasOwn(body, 'state') ? {} : { isStateless: true }),
  };
  return { input, extra: kept };
}

function resultOf(id: string, outcome: Outcome, format: string): ToolResultBlock {
  const { content, isError, extra } = outcome;
  return {
    type: 'tool_result',
    toolUseId: id,
    content,
    ...(isError ? { isError } : {}),
    ...extraFor(format, extra),
  };
}

interface Outcome {
  readonly content: readonly ResultBlock[];
  readonly isError: boolean;
  readonly extra: Extra;
  /** The keys that it stands in. */
  readonly keys: readonly string[];
}

/** The result that a call has; `undefined` while it is open. */
function readOutcome(body: JsonRecord, layout: ToolLayout): Outcome | undefined {
  const state = textAt(body, 'state');
  if (state === layout.doneState) {
    const keys = ['state', layout.outputKey];
    return { ...readOutput(body, layout.outputKey), isError: false, keys };
  }
  if (state === 'output-error') {
    return { ...readOutput(body, 'errorText'), isError: true, keys: ['state', 'errorText'] };
  }
  const approval = fieldOf(body, 'approval');
  const reason = isRecord(approval) ? textAt(approval, 'reason') : undefined;
  const isRefused = isRecord(approval) && approval['approved'] === false;
  if (state !== 'output-denied' && !(state === 'approval-responded' && isRefused)) return undefined;
  const text = reason === undefined || reason.trim() === '' ? deniedText : reason;
  const extra = { form: 'denied', state, text };
  return { content: [{ type: 'text', text }], isError: true, extra, keys: ['state'] };
}

function readOutput(body: JsonRecord, key: string): Pick<Outcome, 'content' | 'extra'> {
  if (!Object.hasOwn(body, key)) return { content: [], extra: { form: 'absent' } };
  const value = body[key];
  if (value === '') return { content: [], extra: { form: 'string' } };
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const form = typeof value === 'string' ? 'string' : 'json';
  return { content: [{ type: 'text', text }], extra: { form } };
}

/** The body of a tool part without the name. `note` hears of what one text cannot hold. */
export function writeTool(
  call: ToolUseBlock,
  result: ToolResultBlock | undefined,
  { format, layout, note }: ToolTarget,
): JsonRecord {
  const extra = call.extra?.format === format ? call.extra : undefined;
  return {
    toolCallId: call.id,
    ...(layout.nameKey === undefined ? {} : { toolName: call.name }),
    ...(extra?.['isStateless'] === true ? {} : { state: layout.openState }),
    ...(hadNoInput(call) ? {} : { [layout.inputKey]: call.input }),
    ...extra?.fields,
    ...(result === undefined ? {} : writeOutcome(result, { format, layout, note })),
  };
}

/** Whether the call had no input and was given none since. */
function hadNoInput({ extra, input }: ToolUseBlock): boolean {
  const isAbsent = extra !== undefined && Object.hasOwn(extra, 'absentInput');
  return isAbsent && isJsonEqual(extra['absentInput'], input);
}

/** Where a tool part is written to. */
export interface ToolTarget {
  readonly format: string;
  readonly layout: ToolLayout;
  readonly note: (loss: string) => void;
}

function writeOutcome(result: ToolResultBlock, { format, layout, note }: ToolTarget): JsonRecord {
  const extra = result.extra?.format === format ? result.extra : undefined;
  const text = textOfResult(result, note);
  if (extra?.['form'] === 'denied' && extra['text'] === text) return { state: extra['state'] };
  const value = valueInForm(text, extra?.['form']);
  if (result.isError !== true) {
    return { state: layout.doneState, ...defined({ [layout.outputKey]: value }) };
  }
  if (layout.errorState === undefined && extra === undefined) {
    note('is_error');
    return { state: layout.doneState, [layout.outputKey]: value };
  }
  return { state: 'output-error', ...defined({ errorText: value }) };
}

/** The output that a text stands for. */
function valueInForm(text: string, form: unknown): unknown {
  if (form === 'absent' && text === '') return undefined;
  const value = form === 'json' ? parseJson(text) : undefined;
  return value === undefined ? text : value;
}

/** A result as one text. */
function textOfResult({ content }: ToolResultBlock, note: (loss: string) => void): string {
  const texts = content.flatMap((block) => {
    if (block.type === 'text') return [block.text];
    note(`block ${block.format}`);
    return [];
  });
  if (texts.length > 1) note('result in several texts');
  return texts.join('\n');
}
