import type { ContentBlock } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import type { SessionLog } from '@ctx/truncation';
import type { ImportedWindows } from '../windows/imported-windows.ts';
import type { RecordedRequest } from '../windows/recorded-requests.ts';
import {
  type AskedWindow,
  findMoment,
  requestsIn,
  type SessionView,
} from '../windows/request-moment.ts';

/** What the requests carried of a segment. */
export type CarriedSegment = Awaited<ReturnType<SessionLog['sent']>>['carried'][number];

/** A session as it is analysed: its requests, and the window as it stands. */
export interface Analysed {
  readonly requests: readonly RecordedRequest[];
  readonly view: SessionView;
  /** The blocks as they came, in the order of the segments. */
  readonly blocks: readonly ContentBlock[];
}

async function countedCarried(
  imported: ImportedWindows,
  store: ContextStore,
  { session, mode }: AskedWindow,
): Promise<readonly CarriedSegment[]> {
  const recorded = mode === 'recorded' ? await imported.recorded(store, session) : undefined;
  if (recorded !== undefined) return recorded.carried();
  return (await imported.sent(store, session, mode === 'recorded' ? 'default' : mode)).carried;
}

/** Reads what the requests carried of each segment, on the scale of its window. One that no request could carry yet is missing at the end. */
export async function readCarried(
  { imported }: { readonly imported: ImportedWindows },
  store: ContextStore,
  { scale, ...asked }: AskedWindow & Pick<SessionView, 'scale'>,
): Promise<readonly CarriedSegment[]> {
  const carried = await countedCarried(imported, store, asked);
  return carried.map((one) => ({ ...one, tokens: one.tokens * scale }));
}

/**
 * Reads what a session is analysed by. Writes nothing.
 * @throws 404.
 */
export async function readAnalysed(
  context: { readonly imported: ImportedWindows },
  store: ContextStore,
  asked: AskedWindow,
): Promise<Analysed> {
  const { moment } = await findMoment(context, store, asked);
  const { all: requests } = await requestsIn(context.imported, store, asked);
  return { requests, view: moment.view, blocks: await moment.blocks() };
}
