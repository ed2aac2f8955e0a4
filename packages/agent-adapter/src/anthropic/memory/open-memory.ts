import { CtxError } from '@ctx/core';
import { createRedactor, type Redactor } from '@ctx/redact';
import type { ContextStore } from '@ctx/store';
import * as z from 'zod';
import { exportMemory, importMemory, type MemoryExchange } from './exchange-folder.ts';
import type { MemoryEntry, MemoryUse } from './memory-files.ts';
import { handlersOf, type MemoryHandlers } from './memory-handlers.ts';
import { foldersAbove, memoryPath, memoryRoot } from './memory-path.ts';
import { type MemoryPolicy, memoryPolicy } from './memory-policy.ts';
import { type MemorySpace, memorySpace } from './memory-space.ts';

/** How a memory is opened. */
export interface MemoryOptions {
  /** The path that all paths of the model begin with. Default `/memories`. */
  readonly root?: string;
  /** Owner of the memory, within the store's own tenant: an owner never sees the files of another. Default `default`. */
  readonly tenant?: string;
  readonly policy?: Partial<MemoryPolicy>;
  /** Takes secrets out of what is written. Default: ctx's rules, on. */
  readonly redactor?: Redactor;
}

/** A text that a change took away or moved. */
export interface MemoryVersion {
  readonly path: string;
  /** The command that changed it. */
  readonly command: string;
  /** ms since the epoch. */
  readonly at: number;
  /** The text before the change; `undefined` where there was no file. */
  readonly before?: string;
  /** Where the file went. */
  readonly movedTo?: string;
}

/** The files that a model keeps, in any store. */
export interface Memory {
  readonly root: string;
  /** How much it may hold and show, defaults filled in. */
  readonly policy: MemoryPolicy;
  /** The commands for Anthropic's SDK: `betaMemoryTool(openMemory(store).handlers)`. */
  readonly handlers: MemoryHandlers;
  use(): Promise<MemoryUse>;
  /** All files, in the order of paths. */
  list(): Promise<readonly MemoryEntry[]>;
  /**
   * The whole text of a file; `undefined` where there is none.
   * @throws `CTX_NOT_ALLOWED` for a path outside the root.
   */
  read(path: string): Promise<string | undefined>;
  /** Writes a file, whatever is there. It is redacted, and counts towards the quotas, as what a model writes. */
  write(path: string, text: string): Promise<void>;
  /** What changes of a path took away, newest first, as far back as they are kept. */
  versions(path: string): Promise<readonly MemoryVersion[]>;
  /**
   * Writes all files into a folder that is empty or not there.
   * @throws `CTX_INVALID_FILE` for one that holds something.
   */
  exportTo(folder: string): Promise<MemoryExchange>;
  /**
   * Takes in all text files of a folder; what cannot be a file of the memory is skipped.
   * @throws the codes of the store.
   */
  importFrom(folder: string): Promise<MemoryExchange>;
}

const versionSchema = z.object({
  before: z.string().exactOptional(),
  movedTo: z.string().exactOptional(),
});

async function versionsOf(space: MemorySpace, path: string): Promise<readonly MemoryVersion[]> {
  const versions: MemoryVersion[] = [];
  for await (const { columns, body } of space.changes(path)) {
    const { command, at } = columns;
    const kept = versionSchema.parse(JSON.parse(body));
    versions.push({ path, command: String(command), at: Number(at), ...kept });
  }
  return versions;
}

async function write(
  space: MemorySpace,
  redactor: Redactor,
  file: { readonly path: string; readonly text: string },
): Promise<void> {
  const { text } = redactor.redact({ text: file.text }).value;
  const { path } = file;
  await space.change(async (view) => {
    if (path === space.root || (await view.below(path)).length > 0) {
      throw new CtxError('CTX_INVALID_INPUT', `${path} is a directory`);
    }
    const [before, ...above] = await view.files([path, ...foldersAbove(path, space.root)]);
    const taken = above.find((each) => each !== undefined);
    if (taken !== undefined) {
      throw new CtxError('CTX_INVALID_INPUT', `${taken.path} is a file, not a directory`);
    }
    return { command: 'write', files: [{ path, text, before }], answer: '' };
  });
}

/**
 * Opens the memory of a tenant in a store. What a command has answered outlives the process where the store does; changes
 * of several processes follow one another, so that none is lost.
 * @throws `CTX_INVALID_OPTION` for options that make no sense.
 */
export function openMemory(store: ContextStore, options: MemoryOptions = {}): Memory {
  const { tenant = 'default', redactor = createRedactor() } = options;
  const root = memoryRoot(options.root ?? '/memories');
  const policy = memoryPolicy(options.policy);
  const space = memorySpace({ store, tenant, root, policy, redactor });
  const memory: Memory = {
    root,
    policy,
    handlers: handlersOf(space, { root, redactor }),
    use: async () => (await space.view()).use,
    list: async () => (await space.view()).below(root),
    read: async (path) => {
      const view = await space.view();
      return (await view.file(memoryPath(path, root)))?.text;
    },
    write: (path, text) => write(space, redactor, { path: memoryPath(path, root), text }),
    versions: (path) => versionsOf(space, memoryPath(path, root)),
    exportTo: (folder) => exportMemory(memory, folder),
    importFrom: (folder) => importMemory(memory, folder),
  };
  return memory;
}
