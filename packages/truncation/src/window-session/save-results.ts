import {
  type ContextStore,
  isCtxError,
  type Message,
  type OutputInput,
  type OutputReceipt,
  type ResultBlock,
  type ToolResultBlock,
  type ToolUseBlock,
} from '@ctx/core';
import type { SessionPlace } from './fold-session.ts';

/** A message whose results are stored. */
export interface SavedMessage {
  /** As it was given, but for what was redacted. */
  readonly message: Message;
  /** Address of each result, by call id. */
  readonly pointers: Readonly<Record<string, string>>;
  /** Id of the output of each result, by its place in the message. */
  readonly outputs: ReadonlyMap<number, string>;
}

/** A result as the outputs take it: a plain text as such, anything else as its blocks. */
function valueOf({ content }: ToolResultBlock): unknown {
  const [first] = content;
  if (first === undefined) return '';
  const isPlain = content.length === 1 && first.type === 'text' && first.extra === undefined;
  return isPlain ? first.text : content;
}

/** Keeps one result, or, where it is larger than the store takes, none. */
async function saveOne(
  { outputs }: ContextStore,
  input: OutputInput,
): Promise<OutputReceipt | undefined> {
  try {
    return await outputs.save(input);
  } catch (error) {
    if (isCtxError(error, 'CTX_TOO_LARGE')) return undefined;
    throw error;
  }
}

async function saveAll(
  store: ContextStore,
  inputs: readonly OutputInput[],
): Promise<(OutputReceipt | undefined)[]> {
  try {
    return await store.outputs.saveAll(inputs);
  } catch (error) {
    if (!isCtxError(error, 'CTX_TOO_LARGE')) throw error;
  }
  const receipts: (OutputReceipt | undefined)[] = [];
  for (const input of inputs) receipts.push(await saveOne(store, input));
  return receipts;
}

function isBlocks(value: unknown): value is readonly ResultBlock[] {
  return Array.isArray(value);
}

/** The result as it was stored, where something was taken out of it. */
async function redacted(
  { store, sessionId }: SessionPlace,
  block: ToolResultBlock,
  { pointer, redaction }: OutputReceipt,
): Promise<ToolResultBlock> {
  if (redaction.total === 0) return block;
  const output = await store.outputs.load({ id: pointer.id, sessionId });
  const result = output?.result;
  if (isBlocks(result)) return { ...block, content: result };
  return { ...block, content: [{ type: 'text', text: typeof result === 'string' ? result : '' }] };
}

/**
 * Stores the results in a message, each once, before the message goes into the log.
 * Contract: what the store redacts is redacted in the message, too; a result larger than the store takes stays in the log.
 * `callOf` finds the call of a result. Cost: one write.
 */
export async function saveResults(
  place: SessionPlace,
  message: Message,
  callOf: (id: string) => ToolUseBlock | undefined,
): Promise<SavedMessage> {
  const results = message.content.flatMap((block, index) =>
    block.type === 'tool_result' ? [{ block, index }] : [],
  );
  if (results.length === 0) return { message, pointers: {}, outputs: new Map() };
  const inputs = results.map(({ block }): OutputInput => {
    const { name: toolName = 'unknown', input: args = {} } = callOf(block.toolUseId) ?? {};
    return { sessionId: place.sessionId, toolName, args, result: valueOf(block) };
  });
  const receipts = await saveAll(place.store, inputs);
  const content = [...message.content];
  const pointers = new Map<string, string>();
  const outputs = new Map<number, string>();
  for (const [at, { block, index }] of results.entries()) {
    const receipt = receipts[at];
    if (receipt === undefined) continue;
    // The first result of an id is the one that its call gets.
    if (!pointers.has(block.toolUseId)) {
      pointers.set(block.toolUseId, `ctx://outputs/${receipt.pointer.id}`);
    }
    outputs.set(index, receipt.pointer.id);
    content[index] = await redacted(place, block, receipt);
  }
  const isSame = content.every((block, index) => block === message.content[index]);
  const saved = isSame ? message : { ...message, content };
  return { message: saved, pointers: Object.fromEntries(pointers), outputs };
}
