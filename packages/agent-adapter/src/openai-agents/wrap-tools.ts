import { isRecord, outputText } from '@ctx/core/encoding';
import type { ContextManager } from '../context-manager/context-manager.ts';
import type { UsageShape } from './host-types.ts';
import { observeUsage } from './observe-usage.ts';

/** A tool that is a function. */
interface FunctionToolShape {
  readonly name: string;
  readonly invoke: (...args: never[]) => Promise<unknown>;
}

/** How tools are wrapped. */
export interface WrapToolsOptions {
  /**
   * Whether usage is learned from what the run tells when it calls a tool: for runs with `contextInputFilter`. `contextModel` learns
   * from the answers themselves. Default false.
   */
  readonly observe?: boolean;
}

interface Invoking {
  readonly manager: ContextManager;
  readonly name: string;
  readonly id: string;
  readonly input: unknown;
}

function callIdOf(details: unknown): string | undefined {
  const call = isRecord(details) ? details['toolCall'] : undefined;
  const id = isRecord(call) ? call['callId'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

function inputOf(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The text of a plain result, as the SDK would write it into the history. */
function textOf(result: unknown): string | undefined {
  if (typeof result === 'string') return result;
  if (!isRecord(result)) return undefined;
  const { type } = result;
  // The SDK knows these as texts, images and files.
  if (type === 'text') return typeof result['text'] === 'string' ? result['text'] : undefined;
  return type === undefined ? JSON.stringify(result) : undefined;
}

async function record({ manager, name, id, input }: Invoking, result: unknown): Promise<unknown> {
  const text = textOf(result);
  if (text === undefined) return result;
  const recorded = await manager.recordToolOutput({ id, name, input }, text);
  return recorded.content === text ? result : recorded.content;
}

async function recordFailure(
  { manager, name, id, input }: Invoking,
  error: unknown,
): Promise<void> {
  const text = error instanceof Error ? error.message : String(error);
  await manager.recordToolOutput({ id, name, input }, outputText({ error: text }));
}

/** The newest request that a run tells of, each once. */
function createUsageReader(): (runContext: unknown) => UsageShape | undefined {
  const seen = new WeakSet();
  return (runContext) => {
    const usage = isRecord(runContext) ? runContext['usage'] : undefined;
    const entries = isRecord(usage) ? usage['requestUsageEntries'] : undefined;
    const newest: unknown = Array.isArray(entries) ? entries.at(-1) : undefined;
    if (!isRecord(newest) || seen.has(newest)) return undefined;
    seen.add(newest);
    return newest;
  };
}

function isFunctionTool(tool: object): tool is FunctionToolShape {
  return 'invoke' in tool && typeof tool.invoke === 'function' && 'name' in tool;
}

/**
 * Wraps the tools of an agent: each result is stored, and a large one is shown to the model, and stored in the session, as a preview with
 * a pointer. The given objects stay as they are; tools that are no functions, images and files go through untouched; what a
 * tool throws is recorded and thrown on; the same call gives the same bytes.
 */
export function wrapTools<Tool extends object>(
  manager: ContextManager,
  tools: readonly Tool[],
  { observe = false }: WrapToolsOptions = {},
): Tool[] {
  const newestUsage = createUsageReader();
  return tools.map((tool) => {
    if (!isFunctionTool(tool)) return tool;
    const { name } = tool;
    // The SDK called it, so these are its arguments.
    const own = tool.invoke as (...args: unknown[]) => Promise<unknown>;
    const invoke = async (...args: unknown[]): Promise<unknown> => {
      const usage = observe ? newestUsage(args[0]) : undefined;
      if (usage !== undefined) await observeUsage(manager, usage);
      const id = callIdOf(args[2]);
      if (id === undefined) return own(...args);
      const invoking = { manager, name, id, input: inputOf(args[1]) };
      let result: unknown;
      try {
        result = await own(...args);
      } catch (error) {
        await recordFailure(invoking, error);
        throw error;
      }
      return record(invoking, result);
    };
    return { ...tool, invoke };
  });
}
