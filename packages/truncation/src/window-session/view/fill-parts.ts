import { isRecord } from '@ctx/core/encoding';
import { withEveryTenthNumber } from '../../window/insert/line-numbers.ts';
import type { SessionPlace } from '../log/session-place.ts';
import type { MissingPart } from '../log/stored-event.ts';
import { takeTurns } from '../log/take-turns.ts';

/** Stands for content whose output was deleted. */
function goneText(output: string): string {
  return `[ctx: deleted from the store; it was ctx://outputs/${output}]`;
}

/** The content of one part of a stored result: a text alone, or the one of its blocks. */
function contentOf(result: unknown, { part, target }: MissingPart): unknown {
  if (target.type === 'text' && typeof result === 'string') return result;
  const block: unknown = Array.isArray(result) ? result[part] : undefined;
  return isRecord(block) ? block[target.type === 'text' ? 'text' : 'data'] : undefined;
}

/** Puts content into a block that was made for it while the log was read, and is not shared yet. */
function fill({ target, output }: MissingPart, content: unknown, isThin: boolean): void {
  if (target.type === 'text') {
    const given = typeof content === 'string' ? content : goneText(output);
    const text = isThin ? (withEveryTenthNumber(given) ?? given) : given;
    Object.assign(target, { text });
  } else if (content !== undefined) Object.assign(target, { data: content });
}

/** So many outputs are read at once: each waits for a store that may be far away. */
const readAtOnce = 8;

/**
 * Reads what was left out of events from the outputs, and puts it in its place. `isThin` says which parts have a number on
 * every tenth line only.
 * What was deleted is said to be. Reads each output once, a few at a time.
 */
export async function fillParts(
  { store, sessionId }: SessionPlace,
  missing: Iterable<MissingPart>,
  isThin: (part: MissingPart) => boolean = () => false,
): Promise<void> {
  const turn = takeTurns();
  const parts = [...missing];
  for (let from = 0; from < parts.length; from += readAtOnce) {
    await turn();
    const read = parts.slice(from, from + readAtOnce).map(async (part) => {
      const output = await store.outputs.load({
        id: part.output,
        sessionId: part.sessionId ?? sessionId,
      });
      fill(part, contentOf(output?.result, part), isThin(part));
    });
    await Promise.all(read);
  }
}
