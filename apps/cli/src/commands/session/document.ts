import { resolve } from 'node:path';
import { createContextManager } from '@ctx/agent-adapter';
import { CtxError } from '@ctx/core';
import { createRedactor, type RedactionMode } from '@ctx/redact';
import type { Session } from '@ctx/store';
import type { Command } from 'commander';
import type { CommandContext, StoreFlags } from '../../command-context.ts';
import { findSession } from '../../find-session.ts';
import { readTextFile } from '../../items/read-content.ts';
import { makeCommand, redactMode, withStoreFlag } from '../../make-command.ts';
import { documentAnswerSchema } from '../../schemas/session.ts';
import { withStore } from '../../store/open-store-url.ts';

interface DocumentFlags extends StoreFlags {
  readonly import?: string;
  readonly replace?: boolean;
  readonly own?: boolean;
  readonly notes?: boolean;
  readonly redact: RedactionMode;
}

/** Largest document that is taken in, bytes. */
const maxDocumentBytes = 64 * 1024 * 1024;

async function show(
  context: CommandContext,
  { store, json = false }: { readonly store: string; readonly json?: boolean },
  { id, document, ...told }: Pick<Session, 'id'> & { document: string | Session['document'] },
): Promise<void> {
  if (typeof document === 'string') return context.print(document);
  if (json) return context.json(documentAnswerSchema, { store, session: id, document, ...told });
  await context.say(`Session ${id} written to ${store}.`);
}

async function runDocument(
  context: CommandContext,
  name: string | undefined,
  flags: DocumentFlags,
): Promise<void> {
  const { import: file, redact, json = false, replace = false, own: isOwn = false } = flags;
  if (file === undefined && name === undefined) {
    throw new CtxError('CTX_USAGE', 'name a session, or a file with --import');
  }
  const path = file === undefined ? '' : resolve(context.host.cwd, file);
  const text = file === undefined ? '' : await readTextFile(context.host, file, maxDocumentBytes);
  const use = { redactor: createRedactor({ mode: redact }), create: file !== undefined };
  await withStore(context, { ...flags, use }, async (store, url) => {
    const place = { store: url.text, json };
    if (file === undefined) {
      const { id, document } = await findSession(store, name ?? '');
      const { session } = createContextManager({ store, sessionId: id });
      const told = flags.notes === true ? { notes: await session.notes() } : {};
      const text = json ? document : (told.notes ?? (await store.sessions.export(id)));
      return show(context, place, { id, document: text, ...told });
    }
    const named = name === undefined ? {} : { sessionId: name };
    const session = await store.sessions.import(text, { ...named, source: path, replace, isOwn });
    await show(context, place, session);
  });
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'document',
    summary: "Print a session's document as readable JSON, or import one.",
    examples: [
      'ctx document <session> > session.json',
      'ctx document --import session.json',
      'ctx document <session> --import session.json --replace',
    ],
  })
    .argument('[session]', 'id of a session; with --import: its new id')
    .option('--notes', 'print only the notes for a model that resumes the session')
    .option('--import <file>', 'import a session document')
    .option('--replace', 'with --import: replace the session if it exists')
    .option('--own', 'with --import: a file that ctx wrote; keep its trust, pins and rules')
    .option('--redact <mode>', 'with --import: on, report or off', redactMode, 'on');
  return withStoreFlag(command).action((name: string | undefined, flags: DocumentFlags) =>
    runDocument(context, name, flags),
  );
}
