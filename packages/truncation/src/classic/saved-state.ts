import { CtxError } from '@ctx/core';
import * as z from 'zod';
import { type EditHistory, emptyEditHistory } from './edits/edit-history.ts';
import { parseEdits, serialiseEdits } from './edits/edit-history-text.ts';
import { type DeletedRange, deletedRange } from './range/deleted-range.ts';

/** What is remembered of a conversation besides its messages. */
export interface ClassicState {
  readonly history: EditHistory;
  /** Every cut with its time; the newest counts, and holds those before it. */
  readonly cuts: readonly { readonly range: DeletedRange; readonly timestamp: number }[];
  /** The request whose report was judged last. */
  readonly judgedRequestId?: string;
}

export const emptyClassicState: ClassicState = { history: emptyEditHistory, cuts: [] };

const format = 'ctx-classic-context';

const stateSchema = z.object({
  format: z.literal(format),
  version: z.literal(1),
  edits: z.string(),
  cuts: z.array(z.object({ start: z.int(), end: z.int(), timestamp: z.number() })),
  judgedRequestId: z.string().exactOptional(),
});

/** The state as text. */
export function writeState({ history, cuts, judgedRequestId }: ClassicState): string {
  return JSON.stringify({
    ...{ format, version: 1, edits: serialiseEdits(history) },
    cuts: cuts.map(({ range, timestamp }) => ({ ...range, timestamp })),
    judgedRequestId,
  });
}

function parsed(text: string): z.infer<typeof stateSchema> {
  try {
    return stateSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new CtxError('CTX_STORE_CORRUPT', 'this text is no whole saved context', { cause });
  }
}

/**
 * Reads what `writeState` wrote.
 * @throws `CTX_STORE_CORRUPT` for a text that is torn, foreign or of a later version.
 */
export function readState(text: string): ClassicState {
  const { edits, cuts, judgedRequestId } = parsed(text);
  return {
    history: parseEdits(edits),
    cuts: cuts.map(({ start, end, timestamp }) => ({ range: deletedRange(start, end), timestamp })),
    ...(judgedRequestId === undefined ? {} : { judgedRequestId }),
  };
}
