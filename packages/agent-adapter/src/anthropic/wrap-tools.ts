import { outputText } from '@ctx/core/encoding';
import type { ContextManager } from '../context-manager/context-manager.ts';
import { isList, isRecord } from './plain-values.ts';

/** A tool that the SDK runs. */
export interface RunnableToolShape {
  readonly name: string;
  // The SDK hands the tool's own input, and perhaps a context that names the call.
  readonly run: (...args: never[]) => unknown;
}

/** The call that a tool serves, as the SDK tells it. */
interface ServedCall {
  readonly id: string;
  readonly input: unknown;
}

function callOf(context: unknown, input: unknown): ServedCall | undefined {
  const use = isRecord(context) ? context['toolUse'] : undefined;
  if (!isRecord(use) || typeof use['id'] !== 'string') return undefined;
  return { id: use['id'], input: use['input'] ?? input };
}

/** The one text of a result; `undefined` where there is more, such as images. */
function textOf(result: unknown): string | undefined {
  if (typeof result === 'string') return result;
  const [only, ...others] = isList(result) ? result : [];
  if (others.length > 0 || !isRecord(only) || only['type'] !== 'text') return undefined;
  return typeof only['text'] === 'string' ? only['text'] : undefined;
}

/** Shows the recorded content in the place of the text. */
function shown(result: unknown, content: string): unknown {
  if (typeof result === 'string') return content;
  return [{ type: 'text', text: content }];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

interface Running {
  readonly manager: ContextManager;
  readonly name: string;
  readonly call: ServedCall;
}

async function record({ manager, name, call }: Running, result: unknown): Promise<unknown> {
  const text = textOf(result);
  if (text === undefined) return result;
  const recorded = await manager.recordToolOutput({ ...call, name }, text);
  return recorded.content === text ? result : shown(result, recorded.content);
}

/** Keeps what a tool's failure said; the failure itself goes on. */
async function recordFailure({ manager, name, call }: Running, error: unknown): Promise<void> {
  const text = messageOf(error);
  await manager.recordToolOutput({ ...call, name }, outputText({ error: text }));
}

function wrapped(
  manager: ContextManager,
  { name, run }: RunnableToolShape,
): (...args: unknown[]) => Promise<unknown> {
  return async (...args) => {
    const call = callOf(args[1], args[0]);
    // The SDK called it, so these are its arguments.
    const own = run as (...given: unknown[]) => unknown;
    if (call === undefined) return own(...args);
    const running = { manager, name, call };
    let result: unknown;
    try {
      result = await own(...args);
    } catch (error) {
      await recordFailure(running, error);
      throw error;
    }
    return record(running, result);
  };
}

function isRunnable(tool: object): tool is RunnableToolShape {
  return 'run' in tool && typeof tool.run === 'function' && 'name' in tool;
}

/**
 * Wraps tools that the SDK's runner runs (`betaTool`, `betaZodTool`, …): each result is stored, and a large text is shown to the model
 * as a preview with a pointer. The given objects stay as they are; tools without `run`, and results with more than one text,
 * go through untouched; what a tool throws is recorded and thrown on; the same call gives the same bytes.
 */
export function wrapTools<Tool extends object>(
  manager: ContextManager,
  tools: readonly Tool[],
): Tool[] {
  return tools.map((tool) => {
    if (!isRunnable(tool)) return tool;
    return { ...tool, run: wrapped(manager, tool) };
  });
}
