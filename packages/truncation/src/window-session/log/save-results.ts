import {
  isCtxError,
  type Message,
  type ResultBlock,
  type ToolResultBlock,
  type ToolUseBlock,
} from '@ctx/core';
import type { ContextStore, OutputInput, OutputReceipt } from '@ctx/store';
import type { SessionPlace } from './session-place.ts';

/** A message whose results are stored. */
export interface SavedMessage {
  /** As it was given, but for what was redacted. */
  readonly message: Message;
  /** Address of each result, by call id. */
  readonly pointers: Readonly<Record<string, string>>;
  /** Id of the output of each result, by its place in the message. */
  readonly outputs: ReadonlyMap<number, string>;
}

/** A result that is stored already. */
export interface RecordedResult {
  /** Id of its output. */
  readonly output: string;
  /** Whether the message holds all of it; a preview of it stands in the log as it is. */
  readonly isWhole: boolean;
}

/** Results of a message that were stored before it came, by call id. */
export type RecordedResults = ReadonlyMap<string, RecordedResult>;

/** A result as the outputs take it: a plain text as such, anything else as its blocks. */
function valueOf({ content }: ToolResultBlock): unknown {
  const [first] = content;
  if (first === undefined) return '';
  const isPlain = content.length === 1 && first.type === 'text' && first.extra === undefined;
  return isPlain ? first.text : content;
}

/** Keeps all, but for those that are larger than the store takes. */
async function saveAll(
  store: ContextStore,
  inputs: readonly OutputInput[],
): Promise<(OutputReceipt | undefined)[]> {
  if (inputs.length === 0) return [];
  try {
    return await store.outputs.saveAll(inputs);
  } catch (error) {
    if (!isCtxError(error, 'CTX_TOO_LARGE')) throw error;
  }
  if (inputs.length === 1) return [undefined];
  const receipts: (OutputReceipt | undefined)[] = [];
  for (const input of inputs) receipts.push(...(await saveAll(store, [input])));
  return receipts;
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
  if (Array.isArray(result)) return { ...block, content: result as readonly ResultBlock[] };
  return { ...block, content: [{ type: 'text', text: typeof result === 'string' ? result : '' }] };
}

/** A result on its way into the log. */
interface PlacedResult {
  readonly block: ToolResultBlock;
  /** Place in its message. */
  readonly index: number;
}

/** Where each result is kept, and what of the message stands in the outputs. */
interface Placement {
  readonly pointers: Map<string, string>;
  readonly outputs: Map<number, string>;
}

/** The first result of an id is the one that its call gets. */
function place({ pointers, outputs }: Placement, result: PlacedResult, kept: RecordedResult): void {
  const { block, index } = result;
  if (!pointers.has(block.toolUseId)) {
    pointers.set(block.toolUseId, `ctx://outputs/${kept.output}`);
  }
  if (kept.isWhole) outputs.set(index, kept.output);
}

/** What is known of the results of a message before they are stored. */
export interface SaveResultsContext {
  /** Finds the call of a result. */
  readonly callOf: (id: string) => ToolUseBlock | undefined;
  /** Results that need not be stored again. */
  readonly stored?: RecordedResults | undefined;
}

function inputOf(
  sessionId: string,
  { block }: PlacedResult,
  { callOf }: SaveResultsContext,
): OutputInput {
  const callId = block.toolUseId;
  const { name: toolName = 'unknown', input: args = {} } = callOf(callId) ?? {};
  return { sessionId, toolName, args, result: valueOf(block), callId };
}

/**
 * Stores the results in a message, each once, before the message goes into the log.
 * What the store redacts is redacted in the message, too; a result larger than the store takes, or kept in memory
 * only, stays in the log; what is
 * `stored` is not stored again. Writes once.
 */
export async function saveResults(
  session: SessionPlace,
  message: Message,
  context: SaveResultsContext,
): Promise<SavedMessage> {
  const results = message.content.flatMap((block, index): PlacedResult[] =>
    block.type === 'tool_result' ? [{ block, index }] : [],
  );
  if (results.length === 0) return { message, pointers: {}, outputs: new Map() };
  const placement: Placement = { pointers: new Map(), outputs: new Map() };
  const isNew = ({ block }: PlacedResult): boolean => !context.stored?.has(block.toolUseId);
  const fresh = results.filter(isNew);
  const inputs = fresh.map((result) => inputOf(session.sessionId, result, context));
  const receipts = new Map((await saveAll(session.store, inputs)).map((r, at) => [fresh[at], r]));
  const content = [...message.content];
  for (const result of results) {
    const receipt = receipts.get(result);
    const known = context.stored?.get(result.block.toolUseId);
    // An output that ends with the store is no place for what the log needs: it keeps that itself.
    const isKept = receipt !== undefined && receipt.isVolatile === undefined;
    const own = isKept ? { output: receipt.pointer.id, isWhole: true } : undefined;
    const kept = receipt === undefined ? known : own;
    if (kept !== undefined) place(placement, result, kept);
    if (receipt === undefined) continue;
    content[result.index] = await redacted(session, result.block, receipt);
  }
  const isSame = content.every((block, index) => block === message.content[index]);
  const saved = isSame ? message : { ...message, content };
  const { pointers, outputs } = placement;
  return { message: saved, pointers: Object.fromEntries(pointers), outputs };
}
