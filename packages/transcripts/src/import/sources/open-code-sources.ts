import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CtxError } from '@ctx/core';
import {
  type OpenCodeFolder,
  type OpenCodeTranscript,
  openCodeSessionIds,
  type RowQuery,
  readOpenCodeDatabase,
  readOpenCodeFolder,
} from '../../formats/opencode/opencode-source.ts';
import type { TranscriptEvent } from '../../transcript.ts';
import type { SourcePosition } from '../files/open-file.ts';
import { readWhole } from '../files/read-whole.ts';
import type { ImportSource } from '../import-source.ts';

/** Takes note of the events of a session that stands in no file of its own. */
function trackEvents(): {
  readonly add: (event: TranscriptEvent) => void;
  readonly end: () => void;
  readonly position: () => SourcePosition;
} {
  const hash = createHash('sha256');
  let events = 0;
  let hasEnded = false;
  return {
    add: (event) => {
      hash.update(JSON.stringify(event));
      events += 1;
    },
    end: () => {
      hasEnded = true;
    },
    position: () => ({
      bytes: events,
      hasEnded,
      endsWithLine: true,
      sha256: () => hash.copy().digest('hex'),
    }),
  };
}

/**
 * A session as a source. Its owner rewrites what is there, so that a place in it means nothing: it is the same as before, or it is
 * imported anew.
 */
function sourceOf(path: string, open: () => OpenCodeTranscript): ImportSource {
  const tracker = trackEvents();
  const transcript = open();
  async function* events(): AsyncGenerator<TranscriptEvent, void, undefined> {
    // What is not at its end is no place to go on from.
    const all: AsyncIterable<TranscriptEvent> = transcript.events;
    for await (const event of all) {
      tracker.add(event);
      yield event;
    }
    tracker.end();
  }
  return {
    path,
    format: 'opencode',
    events: events(),
    receipt: transcript.receipt,
    position: tracker.position,
    compare: async ({ sha256 }) => {
      const again = trackEvents();
      for await (const event of open().events) again.add(event);
      return again.position().sha256() === sha256 ? 'same' : 'other';
    },
  };
}

/** Opens a SQLite file for reading. */
export type OpenDatabase = (
  path: string,
) => Promise<{ readonly query: RowQuery; readonly close: () => void }>;

const tables = ['message', 'part', 'session'];

/**
 * Lends the sessions of opencode's database to `work`, one after the other.
 * @throws `CTX_TRANSCRIPT_UNKNOWN_FORMAT`.
 */
export async function withDatabaseSources(
  path: string,
  openDatabase: OpenDatabase,
  work: (source: ImportSource) => Promise<void>,
): Promise<void> {
  const { query, close } = await openDatabase(path);
  try {
    const known = new Set<unknown>();
    const rows = query("SELECT name FROM sqlite_master WHERE type = 'table'", []);
    for await (const { name } of rows) known.add(name);
    if (!tables.every((table) => known.has(table))) {
      const message = `${path} is a database, but none of opencode`;
      throw new CtxError('CTX_TRANSCRIPT_UNKNOWN_FORMAT', message);
    }
    for (const id of await openCodeSessionIds(query)) {
      await work(sourceOf(`${path}#${id}`, () => readOpenCodeDatabase(query, id)));
    }
  } finally {
    close();
  }
}

/** Names of the entries of a folder; none where it is absent. */
async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).sort();
}

/** Ids name files: one that would leave the folder names none. */
const isPlainPath = (path: string): boolean =>
  !path.includes('\\') && path.split('/').every((part) => !/^\.{0,2}$/.test(part));

function storageAt(root: string): OpenCodeFolder {
  return {
    list: async (folder) => {
      if (!isPlainPath(folder)) return [];
      return (await namesIn(join(root, folder))).filter((name) => name.endsWith('.json'));
    },
    read: async (path) =>
      isPlainPath(path)
        ? await readWhole(join(root, path)).catch(() => new Uint8Array())
        : new Uint8Array(),
  };
}

/** Lends the sessions of opencode's older `storage` folder to `work`, one after the other. */
export async function withStorageSources(
  root: string,
  work: (source: ImportSource) => Promise<void>,
): Promise<void> {
  const folder = storageAt(root);
  for (const projectId of await namesIn(join(root, 'session'))) {
    for (const name of await folder.list(`session/${projectId}`)) {
      const sessionId = name.slice(0, -'.json'.length);
      const open = () => readOpenCodeFolder(folder, { projectId, sessionId });
      await work(sourceOf(join(root, 'session', projectId, name), open));
    }
  }
}
