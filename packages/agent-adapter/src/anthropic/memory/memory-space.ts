import { CtxError } from '@ctx/core';
import type { Redactor } from '@ctx/redact';
import { type CollectionAccess, type ContextStore, collections, retryOnConflict } from '@ctx/store';
import type { StoredRecord, WriteOperation } from '@ctx/store/backend';
import * as z from 'zod';
import {
  bytesOfFiles,
  type MemoryEntry,
  type MemoryFile,
  type MemoryFileChange,
  type MemoryUse,
} from './memory-files.ts';
import type { MemoryPolicy } from './memory-policy.ts';
import { checkQuota, checkSizes, useAfter } from './memory-quota.ts';
import { sequenceText } from '../../sequence-text.ts';

/** The files of a memory, as one change finds them. */
export interface MemoryView {
  readonly use: MemoryUse;
  file(path: string): Promise<MemoryFile | undefined>;
  files(paths: readonly string[]): Promise<readonly (MemoryFile | undefined)[]>;
  /** What lies below a path, in the order of paths. */
  below(path: string): Promise<readonly MemoryEntry[]>;
}

/** What a command does. */
export interface MemoryStep {
  readonly command: string;
  readonly files: readonly MemoryFileChange[];
  readonly answer: string;
}

/** A memory in a store. */
export interface MemorySpace {
  readonly policy: MemoryPolicy;
  readonly root: string;
  readonly view: () => Promise<MemoryView>;
  /**
   * Lets a command take effect, all of it or nothing, after whatever others did meanwhile.
   * `plan` may run several times, each time on a new view.
   * @throws what `plan` throws; `CTX_STORE_FULL` over a quota.
   */
  readonly change: (plan: (view: MemoryView) => Promise<MemoryStep>) => Promise<string>;
  /** What was taken away, newest first. */
  readonly changes: (path: string) => AsyncIterable<StoredRecord>;
}

/** What a space is opened with. */
export interface MemorySpaceOptions {
  readonly store: ContextStore;
  readonly tenant: string;
  readonly root: string;
  readonly policy: MemoryPolicy;
  readonly redactor: Redactor;
}

interface Tables {
  readonly spaces: CollectionAccess;
  readonly files: CollectionAccess;
  readonly changes: CollectionAccess;
}

const fileSchema = z.object({ text: z.string() });

function entryOf({ key, columns }: StoredRecord): MemoryEntry {
  return {
    path: key[1] ?? '',
    bytes: Number(columns['bytes']),
    createdAt: Number(columns['created_at']),
    updatedAt: Number(columns['updated_at']),
  };
}

function fileOf(record: StoredRecord): MemoryFile {
  try {
    return { ...entryOf(record), ...fileSchema.parse(JSON.parse(record.body)) };
  } catch (cause) {
    const path = record.key.join(' ');
    throw new CtxError('CTX_STORE_CORRUPT', `memory file ${path} cannot be read`, { cause });
  }
}

function useOf(head: StoredRecord | undefined): MemoryUse {
  if (head === undefined) return { files: 0, bytes: 0, changes: 0 };
  const { files, bytes, changes } = head.columns;
  return { files: Number(files), bytes: Number(bytes), changes: Number(changes) };
}

function viewOf({ files }: Tables, tenant: string, use: MemoryUse): MemoryView {
  const many = async (paths: readonly string[]) => {
    const records = await files.getMany(paths.map((path) => [tenant, path]));
    return records.map((record) => record && fileOf(record));
  };
  return {
    use,
    files: many,
    file: async (path) => (await many([path]))[0],
    below: async (path) => {
      // What begins with `path/` lies before `path0`: 0 is the sign after the slash.
      const range = { from: `${path}/`, to: `${path}0`, toExclusive: true };
      const entries: MemoryEntry[] = [];
      const query = { index: 'key', equal: [tenant], range, part: 'columns' } as const;
      for await (const record of files.scan(query)) entries.push(entryOf(record));
      return entries;
    },
  };
}

interface Writing {
  readonly tables: Tables;
  readonly options: MemorySpaceOptions;
  readonly use: MemoryUse;
  readonly now: number;
}

function fileOperations(
  { tables: { files }, options: { tenant }, now }: Writing,
  { path, text, before }: MemoryFileChange,
): WriteOperation {
  const key = [tenant, path];
  if (text === undefined) return files.remove({ key });
  const columns = {
    bytes: bytesOfFiles(text),
    created_at: before?.createdAt ?? now,
    updated_at: now,
  };
  return files.put({ key, columns, body: JSON.stringify({ text }) });
}

/** Keeps what the changes took away, and drops what is too old. */
function changeOperations(
  { tables, options, use, now }: Writing,
  { command, files }: MemoryStep,
): WriteOperation[] {
  const { tenant, policy } = options;
  return files.flatMap(({ path, before, movedTo }, index) => {
    const number = use.changes + index;
    const columns = { path, command, at: now };
    const body = JSON.stringify({
      ...(before === undefined ? {} : { before: before.text }),
      ...(movedTo === undefined ? {} : { movedTo }),
    });
    const kept = tables.changes.put({ key: [tenant, sequenceText(number)], columns, body });
    const old = number - policy.keptChanges;
    if (old < 0) return [kept];
    return [kept, tables.changes.remove({ key: [tenant, sequenceText(old)] })];
  });
}

async function changeOnce(
  tables: Tables,
  options: MemorySpaceOptions,
  plan: (view: MemoryView) => Promise<MemoryStep>,
): Promise<string> {
  const { store, tenant, policy } = options;
  const head = await tables.spaces.get([tenant]);
  const use = useOf(head);
  const step = await plan(viewOf(tables, tenant, use));
  if (step.files.length === 0) return step.answer;
  checkSizes(step.files, policy);
  const after = useAfter(use, step.files);
  checkQuota(after, use, policy);
  const writing: Writing = { tables, options, use, now: store.clock() };
  const columns = { ...after, changed_at: writing.now };
  await store.records.write([
    tables.spaces.put({
      ...{ key: [tenant], columns, body: '{}' },
      expectVersion: head?.version ?? 0,
    }),
    ...step.files.map((file) => fileOperations(writing, file)),
    ...changeOperations(writing, step),
  ]);
  return step.answer;
}

/** Opens the memory of a tenant. Does nothing until used. */
export function memorySpace(options: MemorySpaceOptions): MemorySpace {
  const { records } = options.store;
  const { tenant, policy, root } = options;
  const tables: Tables = {
    spaces: records.collection(collections.memorySpaces),
    files: records.collection(collections.memoryFiles),
    changes: records.collection(collections.memoryChanges),
  };
  // Changes of this process wait for one another, so that only those of others are met.
  let last: Promise<unknown> = Promise.resolve();
  return {
    policy,
    root,
    view: async () => viewOf(tables, tenant, useOf(await tables.spaces.get([tenant]))),
    change: (plan) => {
      const run = () => retryOnConflict(() => changeOnce(tables, options, plan));
      const turn = last.then(run);
      last = turn.catch(() => undefined);
      return turn;
    },
    changes: (path) =>
      tables.changes.scan({ index: 'by_path', equal: [tenant, path], descending: true }),
  };
}
