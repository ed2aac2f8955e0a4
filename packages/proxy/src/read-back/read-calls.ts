import { isRecord } from '@ctx/core/encoding';
import { at, numberAt, parsed, textAt } from '../json/values.ts';
import { readTool } from './read-tool.ts';

/** A call of the tool that comes in pieces. */
interface OpenCall {
  readonly id: string;
  text: string;
}

function listAt(value: unknown, ...names: readonly string[]): readonly unknown[] {
  const found = at(value, ...names);
  return Array.isArray(found) ? found : [];
}

/** The whole call that an event of the Responses API holds. */
function wholeCall(event: unknown): OpenCall | undefined {
  if (textAt(event, 'type') !== 'response.output_item.done') return undefined;
  const item = at(event, 'item');
  const id = textAt(item, 'call_id');
  if (textAt(item, 'name') !== readTool.name || id === undefined) return undefined;
  return { id, text: textAt(item, 'arguments') ?? '' };
}

/** Collects the calls of the tool from the events of an answer: opencode does not send back what the model called. */
export function createCallReader(keep: (id: string, args: unknown) => void) {
  const open = new Map<string, OpenCall>();
  const begin = (place: string, call: unknown, name: string | undefined): void => {
    const id = textAt(call, 'id');
    if (name === readTool.name && id !== undefined) open.set(place, { id, text: '' });
  };
  const add = (place: string, text: string | undefined): void => {
    const call = open.get(place);
    if (call !== undefined) call.text += text ?? '';
  };
  const end = (): void => {
    for (const { id, text } of open.values()) {
      const args = parsed(text);
      if (isRecord(args)) keep(id, args);
    }
  };
  return {
    take: (event: unknown): void => {
      const index = String(numberAt(event, 'index'));
      const block = at(event, 'content_block');
      begin(index, block, textAt(block, 'name'));
      add(index, textAt(event, 'delta', 'partial_json'));
      const whole = wholeCall(event);
      if (whole !== undefined) open.set(whole.id, whole);
      for (const [choice] of [listAt(event, 'choices')]) {
        for (const call of listAt(choice, 'delta', 'tool_calls')) {
          const place = `choice ${String(numberAt(call, 'index'))}`;
          begin(place, call, textAt(call, 'function', 'name'));
          add(place, textAt(call, 'function', 'arguments'));
        }
      }
    },
    end,
  };
}
