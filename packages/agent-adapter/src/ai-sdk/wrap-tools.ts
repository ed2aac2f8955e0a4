import type { ContextManager } from '../context-manager/context-manager.ts';
import type { SdkTool } from './host-types.ts';

/** What `toModelOutput` is given. */
interface OutputCall {
  readonly toolCallId: string;
  readonly input: unknown;
  readonly output: unknown;
}

type ToModelOutput = (call: OutputCall) => unknown;

function isFunction(value: unknown): value is ToModelOutput {
  return typeof value === 'function';
}

/** What a tool's own conversion made, or what the SDK makes of a plain value. */
interface Shown {
  readonly output: unknown;
  /** The value in it, where it is one text or JSON. */
  readonly value?: { readonly of: unknown };
}

function shownOutput(output: unknown): Shown {
  if (typeof output !== 'object' || output === null || !('type' in output)) return { output };
  const isPlain = output.type === 'text' || output.type === 'json';
  return isPlain && 'value' in output ? { output, value: { of: output.value } } : { output };
}

function plainOutput(output: unknown): Shown {
  if (typeof output === 'string') {
    return { output: { type: 'text', value: output }, value: { of: output } };
  }
  const value = output ?? null;
  return { output: { type: 'json', value }, value: { of: value } };
}

function jsonText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Gives the model a pointer where the result is large; steps and screens keep the whole. */
function modelOutput(
  manager: ContextManager,
  name: string,
  own: ToModelOutput | undefined,
): ToModelOutput {
  return async (call) => {
    const { toolCallId: id, input, output } = call;
    const shown = own === undefined ? plainOutput(output) : shownOutput(await own(call));
    // Parts such as images go to the window as they are.
    if (shown.value === undefined) return shown.output;
    const { of: value } = shown.value;
    const shownAs = jsonText(value);
    const recorded = await manager.recordToolOutput({ id, name, input }, value, { shownAs });
    return recorded.isUnchanged ? shown.output : { type: 'text', value: recorded.content };
  };
}

/**
 * Wraps the tools of an agent: each result is stored, and a large one is shown to the model as a preview with a pointer.
 * Tools without `execute` are left as they are, the given objects unchanged; the same call gives the same bytes however
 * often it is converted. Hand the wrapped tools to `convertToModelMessages`, too.
 */
export function wrapTools<Tools extends Readonly<Record<string, SdkTool>>>(
  manager: ContextManager,
  tools: Tools,
): Tools {
  const wrapped = Object.entries(tools).map(([name, tool]) => {
    if (tool.execute === undefined) return [name, tool] as const;
    const own = isFunction(tool.toModelOutput) ? tool.toModelOutput : undefined;
    return [name, { ...tool, toModelOutput: modelOutput(manager, name, own) }] as const;
  });
  // The same tools under the same names; each has one more member.
  return Object.fromEntries(wrapped) as Tools;
}
