import type { ContextStore } from '@ctx/store';
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

/** Gives a new session its source and a title. A session that has them keeps them. */
export async function nameSession(
  store: ContextStore,
  sessionId: string,
  {
    opened,
    request,
  }: { readonly opened: { readonly caller: Caller }; readonly request: ReadRequest },
): Promise<void> {
  const given = titleOf(request);
  const title = given === undefined ? undefined : store.redactor.redact(given).value;
  await store.sessions.update(sessionId, (session) => ({
    ...session,
    source: session.source ?? `proxy:${opened.caller.client}`,
    ...(title === undefined ? {} : { title: session.title ?? title }),
  }));
}
