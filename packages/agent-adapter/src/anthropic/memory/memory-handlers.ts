import { CtxError } from '@ctx/core';
import * as z from 'zod';
import {
  type CommandHost,
  createFile,
  deleteAt,
  insertIntoFile,
  renameTo,
  replaceInFile,
} from './memory-commands.ts';
import { memoryPath } from './memory-path.ts';
import type { MemorySpace } from './memory-space.ts';
import { fileView, folderView } from './memory-view.ts';

/** The commands of Anthropic's memory tool, as `betaMemoryTool` of the SDK takes them. */
export interface MemoryHandlers {
  view(command: ViewCommand): Promise<string>;
  create(command: { readonly path: string; readonly file_text: string }): Promise<string>;
  str_replace(command: {
    readonly path: string;
    readonly old_str: string;
    readonly new_str: string;
  }): Promise<string>;
  insert(command: InsertCommand): Promise<string>;
  delete(command: { readonly path: string }): Promise<string>;
  rename(command: { readonly old_path: string; readonly new_path: string }): Promise<string>;
}

/** A look at a file or folder. */
export interface ViewCommand {
  readonly path: string;
  /** First and last line, from 1; -1 is the end. */
  readonly view_range?: readonly number[];
}

/** Text to put after a line. */
export interface InsertCommand {
  readonly path: string;
  /** 0 is the beginning. */
  readonly insert_line: number;
  readonly insert_text: string;
}

const path = z.string();
const viewSchema = z.object({
  path,
  view_range: z.tuple([z.int(), z.int()]).nullish(),
});
const createSchema = z.object({ path, file_text: z.string() });
const replaceSchema = z.object({ path, old_str: z.string(), new_str: z.string().default('') });
const insertSchema = z.object({ path, insert_line: z.int(), insert_text: z.string() });
const deleteSchema = z.object({ path });
const renameSchema = z.object({ old_path: path, new_path: path });

/** What a model sent is checked: the SDK hands it on as it came. */
function checked<Command>(schema: z.ZodType<Command>, command: unknown): Command {
  const parsed = schema.safeParse(command);
  if (parsed.success) return parsed.data;
  throw new CtxError('CTX_INVALID_INPUT', `Wrong arguments. ${z.prettifyError(parsed.error)}`);
}

async function lookAt(space: MemorySpace, command: unknown): Promise<string> {
  const given = checked(viewSchema, command);
  const at = memoryPath(given.path, space.root);
  const view = await space.view();
  const file = await view.file(at);
  const { policy } = space;
  if (file !== undefined) {
    return fileView(at, file.text, { range: given.view_range ?? undefined, policy });
  }
  const entries = await view.below(at);
  if (entries.length > 0 || at === space.root) return folderView(at, entries, policy);
  const message = `The path ${at} does not exist. Please provide a valid path.`;
  throw new CtxError('CTX_NOT_FOUND', message);
}

/**
 * Makes the commands over a memory. Each is one transaction, all or nothing, after whatever others did meanwhile; what
 * cannot be done is thrown with a text that tells the model what to do.
 */
export function handlersOf(space: MemorySpace, host: CommandHost): MemoryHandlers {
  const { root } = space;
  return {
    view: (command) => lookAt(space, command),
    create: async (command) => {
      const given = checked(createSchema, command);
      const at = { path: memoryPath(given.path, root), text: given.file_text };
      return space.change((view) => createFile(host, view, at));
    },
    str_replace: async (command) => {
      const {
        path: named,
        old_str: wanted,
        new_str: replacement,
      } = checked(replaceSchema, command);
      const edit = { path: memoryPath(named, root), wanted, replacement };
      return space.change((view) => replaceInFile(host, view, edit));
    },
    insert: async (command) => {
      const { path: named, insert_line: line, insert_text: added } = checked(insertSchema, command);
      const edit = { path: memoryPath(named, root), line, added };
      return space.change((view) => insertIntoFile(host, view, edit));
    },
    delete: async (command) => {
      const at = memoryPath(checked(deleteSchema, command).path, root);
      return space.change((view) => deleteAt(host, view, at));
    },
    rename: async (command) => {
      const given = checked(renameSchema, command);
      const names = {
        from: memoryPath(given.old_path, root),
        to: memoryPath(given.new_path, root),
      };
      return space.change((view) => renameTo(host, view, names));
    },
  };
}
