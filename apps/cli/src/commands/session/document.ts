import { lstat, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CtxError } from '@ctx/core';
import { createRedactor, type RedactionMode } from '@ctx/redact';
import type { Session } from '@ctx/store';
import { exportSession, importSession } from '@ctx/store';
import type { Command } from 'commander';
import {
  type CommandContext,
  type StoreFlags,
  writeErr,
  writeJson,
  writeOut,
} from '../../command-context.ts';
import { findSession } from '../../find-session.ts';
import { makeCommand, oneOf, withStoreFlag } from '../../make-command.ts';
import { documentAnswerSchema } from '../../schemas/session/document.ts';
import { withStore } from '../../store/open-store-url.ts';

interface DocumentFlags extends StoreFlags {
  readonly import?: string;
  readonly replace?: boolean;
  readonly own?: boolean;
  readonly redact: RedactionMode;
}

/** Largest document that is taken in, bytes. */
const maxDocumentBytes = 64 * 1024 * 1024;

async function readDocument(path: string, name: string): Promise<string> {
  const stats = await lstat(path).catch((cause: unknown) => {
    throw new CtxError('CTX_NOT_FOUND', `there is no file ${name}`, { cause });
  });
  if (!stats.isFile()) throw new CtxError('CTX_INVALID_FILE', `${name} is no file`);
  if (stats.size <= maxDocumentBytes) return readFile(path, 'utf8');
  throw new CtxError('CTX_TOO_LARGE', `${name} has more than 64 MB`);
}

async function show(
  context: CommandContext,
  { store, json = false }: { readonly store: string; readonly json?: boolean },
  { id, document }: { readonly id: string; readonly document: string | Session['document'] },
): Promise<void> {
  if (typeof document === 'string') return writeOut(context, document);
  if (json) return writeJson(context, documentAnswerSchema, { store, session: id, document });
  await writeErr(context, `Session ${id} written to ${store}.`);
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
  const text = file === undefined ? '' : await readDocument(path, file);
  const use = { redactor: createRedactor({ mode: redact }), create: file !== undefined };
  await withStore(context, { ...flags, use }, async (store, url) => {
    const place = { store: url.text, json };
    if (file === undefined) {
      const { id, document } = await findSession(store, name ?? '');
      return show(context, place, {
        id,
        document: json ? document : await exportSession(store, id),
      });
    }
    const named = name === undefined ? {} : { sessionId: name };
    const session = await importSession(store, text, { ...named, source: path, replace, isOwn });
    await show(context, place, session);
  });
}

/** `ctx document` */
export function documentCommand(context: CommandContext): Command {
  const command = makeCommand({
    name: 'document',
    summary: "Print a session's document as readable JSON, or take one in.",
    examples: [
      'ctx document <session> > session.json',
      'ctx document --import session.json',
      'ctx document <session> --import session.json --replace',
    ],
  })
    .argument('[session]', 'id of a session; with --import: its new id')
    .option('--import <file>', 'take in a session document')
    .option('--replace', 'with --import: also where the session is there already')
    .option('--own', 'with --import: a file that ctx wrote; believe its trust, pins and rules')
    .option(
      '--redact <mode>',
      'with --import: on, report or off',
      oneOf(['on', 'report', 'off']),
      'on',
    );
  return withStoreFlag(command).action((name: string | undefined, flags: DocumentFlags) =>
    runDocument(context, name, flags),
  );
}
