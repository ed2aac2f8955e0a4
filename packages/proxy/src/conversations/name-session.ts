import type { ContextStore, Session } from '@ctx/store';
import type { Caller } from '../dialects/dialect.ts';
import type { ReadRequest } from '../requests/read-request.ts';

/** Longest title, characters. */
const maxTitle = 80;

/** What the user asked for first: the last text of a message that is not between tags, as clients put their own words. */
function titleOf({ messages }: ReadRequest): string | undefined {
  const texts = messages.map(({ message: { role, content } }) =>
    content.findLast(
      (block) =>
        role === 'user' && block.type === 'text' && !block.text.trimStart().startsWith('<'),
    ),
  );
  const first = texts.find((block) => block?.type === 'text');
  if (first?.type !== 'text') return undefined;
  const title = first.text.replaceAll(/\s+/g, ' ').trim().slice(0, maxTitle);
  return title === '' ? undefined : title;
}

/** What a session's state says of how it began: whether its model has the tool, and whether its requests go out as the client writes them. */
export type SessionMark = 'proxy_read_tool' | 'proxy_held_out';

/** A conversation whose session may have marks. */
export interface MarkedLane {
  readonly sessionId: string;
  /** The state of its session as it began, once that was read. */
  begun: Readonly<Record<string, unknown>> | undefined;
}

/** Whether a session has a mark: as it began, or as is wanted for one that begins now. Reads a session that has begun once. */
export async function isMarked(
  { sessions }: ContextStore,
  lane: MarkedLane,
  { mark, isWanted }: { readonly mark: SessionMark; readonly isWanted: boolean },
): Promise<boolean> {
  if (lane.begun === undefined) {
    const session = await sessions.get(lane.sessionId);
    if (session?.source === undefined) return isWanted;
    lane.begun = session.document.system_state;
  }
  return lane.begun[mark] === true;
}

/** The document with what the client calls the conversation, and its mark. */
function withOrigin(
  { document }: Session,
  { caller: { conversation }, mark }: Pick<SessionNaming, 'caller' | 'mark'>,
): Session['document'] {
  const name = conversation === undefined ? {} : { proxy_conversation: conversation };
  const marks = mark === undefined ? {} : { [mark]: true };
  return { ...document, system_state: { ...document.system_state, ...name, ...marks } };
}

/** What a new session is called by. */
export interface SessionNaming {
  readonly caller: Caller;
  readonly request: ReadRequest;
  readonly mark: SessionMark | undefined;
}

/** Gives a new session its source and a title. A session that has them keeps them. */
export async function nameSession(
  store: ContextStore,
  sessionId: string,
  { caller, request, mark }: SessionNaming,
): Promise<void> {
  const given = titleOf(request);
  const title = given === undefined ? undefined : store.redactor.redact(given).value;
  await store.sessions.update(sessionId, (session) => ({
    ...session,
    source: session.source ?? `proxy:${caller.client}`,
    document: withOrigin(session, { caller, mark }),
    ...(title === undefined ? {} : { title: session.title ?? title }),
  }));
}
