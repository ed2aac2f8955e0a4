import { isRecord } from '@ctx/core/encoding';
import type { RecordedCall } from '@ctx/truncation';
import type { ContextManager } from '../context-manager/context-manager.ts';

/** A result as the protocol brings it. */
export interface GivenResult {
  readonly result: object;
  readonly structured: 'keep' | 'drop';
}

type Part = Readonly<Record<string, unknown>>;

/** The text of a part: its own, or that of the resource in it. */
function textOf(part: Part): string | undefined {
  if (part['type'] === 'text') return typeof part['text'] === 'string' ? part['text'] : undefined;
  const { resource } = part;
  if (part['type'] !== 'resource' || !isRecord(resource)) return undefined;
  const { text, blob } = resource;
  if (typeof text === 'string') return text;
  return typeof blob === 'string' ? blob : undefined;
}

interface Recording {
  readonly manager: ContextManager;
  readonly call: RecordedCall;
  readonly failed: boolean;
}

/** One part as it goes on: what was put away becomes a text. */
async function offloadPart(
  { manager, call, failed }: Recording,
  part: unknown,
  place: number,
): Promise<unknown> {
  const text = isRecord(part) ? textOf(part) : undefined;
  if (text === undefined || !isRecord(part)) return part;
  const id = place === 0 ? call.id : `${call.id}#${String(place)}`;
  const { content } = await manager.recordToolOutput({ ...call, id }, text, { failed });
  if (content === text) return part;
  const { annotations, _meta } = part;
  return {
    ...{ type: 'text', text: content },
    ...(annotations === undefined ? {} : { annotations }),
    ...(_meta === undefined ? {} : { _meta }),
  };
}

/** The parts as they go on, in order. */
async function offloadParts(
  recording: Recording,
  parts: readonly unknown[],
): Promise<readonly unknown[]> {
  const shown: unknown[] = [];
  for (const [place, part] of parts.entries()) {
    shown.push(await offloadPart(recording, part, place));
  }
  return shown;
}

interface Shown {
  /** The result with the parts that go on. */
  readonly whole: object;
  readonly parts: readonly unknown[];
  readonly isChanged: boolean;
}

/** Takes the structured content out where it is long, or where the text beside it left; never where the store did not take it. */
async function dropStructured(
  { manager, call, failed }: Recording,
  { whole, parts, isChanged }: Shown,
): Promise<object> {
  if (!('structuredContent' in whole)) return whole;
  const { structuredContent, ...rest } = whole;
  const id = `${call.id}#structured`;
  const kept = await manager.recordToolOutput({ ...call, id }, structuredContent, { failed });
  if ((!kept.offloaded && !isChanged) || kept.degraded !== undefined) return whole;
  return parts.length === 0 ? { ...rest, content: [{ type: 'text', text: kept.content }] } : rest;
}

/**
 * Stores the texts and embedded resources of a result, each on its own, and gives the result that goes on.
 * The given result is not changed; parts of other kinds are the same objects. Costs one save for each text.
 */
export async function offloadResult(
  manager: ContextManager,
  call: RecordedCall,
  { result, structured }: GivenResult,
): Promise<object> {
  if (!('content' in result) || !Array.isArray(result.content)) return result;
  const given: readonly unknown[] = result.content;
  const failed = 'isError' in result && result.isError === true;
  const recording = { manager, call, failed };
  const parts = await offloadParts(recording, given);
  const isChanged = parts.some((part, place) => part !== given[place]);
  const whole = isChanged ? { ...result, content: parts } : result;
  return structured === 'keep' ? whole : dropStructured(recording, { whole, parts, isChanged });
}
