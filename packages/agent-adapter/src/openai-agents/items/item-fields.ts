import { isRecord } from '@ctx/core/encoding';
import type { ItemShape } from '../host-types.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The fields of an item. */
export function fieldsOf(item: ItemShape): Fields {
  return isRecord(item) ? item : {};
}

/** A text field; `undefined` where it is none. */
export function textField(item: ItemShape, name: string): string | undefined {
  const value = fieldsOf(item)[name];
  return typeof value === 'string' ? value : undefined;
}

/** What kind of item it is; a message may leave that out. */
export function typeOf(item: ItemShape): string {
  return textField(item, 'type') ?? (textField(item, 'role') === undefined ? '' : 'message');
}

/** Types of calls that have a result of their own in the history, and the type of that. */
const resultTypes: ReadonlyMap<string, string> = new Map([
  ['function_call', 'function_call_result'],
  ['computer_call', 'computer_call_result'],
  ['shell_call', 'shell_call_output'],
  ['apply_patch_call', 'apply_patch_call_output'],
  ['custom_tool_call', 'custom_tool_call_output'],
]);

const callTypes: ReadonlyMap<string, string> = new Map(
  [...resultTypes].map(([call, result]) => [result, call]),
);

/** The call that an item is: kind and id. */
export function callOf(item: ItemShape): string | undefined {
  const type = typeOf(item);
  const id = textField(item, 'callId');
  return resultTypes.has(type) && id !== undefined ? `${type} ${id}` : undefined;
}

/** The call that an item is the result of. */
export function answeredCallOf(item: ItemShape): string | undefined {
  const call = callTypes.get(typeOf(item));
  const id = textField(item, 'callId');
  return call === undefined || id === undefined ? undefined : `${call} ${id}`;
}
