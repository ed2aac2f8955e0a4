import { CtxError } from '@ctx/core';
import { countedText } from '@ctx/core/encoding';
import { createRedactor } from '@ctx/redact';
import { pages } from '@ctx/replay';
import type { ContextStore } from '@ctx/store';
import { createImportedWindows, type ImportedWindows } from './imported-windows.ts';
import { type AskedWindow, findMoment, requestsIn } from './request-moment.ts';
import { sharedParts } from './shared-session.ts';

/** A session, or a request of it, to pass on. */
export interface ShareAsk extends AskedWindow {
  /** The request, from 1; left out: the session as it stands. */
  readonly at?: number;
}

/** A page of HTML that needs no server. */
export interface SharedPage {
  readonly page: string;
  readonly requests: number;
  /** Secrets that were taken out. */
  readonly redacted: number;
}

type Asked = Awaited<ReturnType<typeof requestsIn>>;

/** What shaped the requests: of an import the mode that is asked for; else ctx, but of a session that a proxy only watched. */
function shapedBy(source: string | undefined, { mode }: ShareAsk, { all, found }: Asked): string {
  if (found !== undefined) return mode;
  return source?.startsWith('proxy:') === true && all.length === 0 ? 'recorded' : 'sent';
}

/**
 * Makes one page of a session or a request, at most 5 MB, secrets taken out. Writes nothing to the store.
 * @throws `CTX_NOT_FOUND` for a request that there is not.
 */
export async function shareSession(
  store: ContextStore,
  ask: ShareAsk,
  imported: ImportedWindows = createImportedWindows(),
): Promise<SharedPage> {
  const { session, mode, at } = ask;
  const asked = await requestsIn(imported, store, { session, mode });
  const { all } = asked;
  if (at !== undefined && at > all.length) {
    throw new CtxError('CTX_NOT_FOUND', `${session} has ${countedText(all.length, 'request')}`);
  }
  const { moment } = await findMoment({ imported }, store, ask);
  const requests = at === undefined ? all : all.slice(0, at);
  const parts = await sharedParts({ moment, requests });
  const known = await store.sessions.get(session);
  const said = { title: known?.title ?? session, id: session, ...parts };
  const { value, receipt } = createRedactor().redact(said);
  const page = pages.session({
    ...value,
    ...(at === undefined ? {} : { request: at }),
    ...{
      mode: shapedBy(known?.source, ask, asked),
      redacted: receipt.total,
      madeAt: store.clock(),
    },
  });
  return { page, requests: requests.length, redacted: receipt.total };
}
