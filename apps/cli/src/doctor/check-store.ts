import { countedText } from '@ctx/core/encoding';
import { constants } from 'node:fs';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoreUrl } from '@ctx/agent-adapter/store';
import { openStore } from '@ctx/store';
import { failureOf } from '../cli-errors.ts';
import type { DoctorCheck } from '../schemas/store.ts';
import { backendOf, openExisting, storeExists } from '../store/open-store-url.ts';
import { existingFolder } from './check-files.ts';

function problemOf(name: string, error: unknown): DoctorCheck {
  const { title, message, advice } = failureOf(error);
  return {
    name,
    status: 'problem',
    found: `${title}: ${message}`,
    ...(advice === undefined ? {} : { advice }),
  };
}

async function checkFolder(url: StoreUrl): Promise<DoctorCheck> {
  const name = 'store';
  const folder = await existingFolder(url);
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return { name, status: 'ok', found: `${url.text} is not made yet; ${folder} can be written` };
  } catch {
    return {
      name,
      status: 'problem',
      found: `${url.text} is not made yet, and ${folder} cannot be written`,
      advice: 'Choose another place with --store or CTX_STORE, or change the rights of the folder.',
    };
  }
}

/** Opens the store, as every command does, and reads from it. An empty place is only looked at. */
export async function checkStore(url: StoreUrl): Promise<DoctorCheck> {
  const name = 'store';
  if (url.scheme === 'memory') return { name, status: 'ok', found: 'memory: nothing is kept' };
  try {
    if (!(await storeExists(url))) {
      if (url.scheme !== 'postgres') return await checkFolder(url);
      return { name, status: 'ok', found: `${url.text} is not made yet; the server answers` };
    }
    const { store, isReadOnly } = await openExisting(url);
    try {
      const { outputs } = await store.outputs.tally();
      await store.sessions.list({ limit: 1 });
      const held = countedText(outputs, 'tool output');
      if (!isReadOnly) return { name, status: 'ok', found: `${url.text} opens; ${held}` };
      return {
        name,
        status: 'warning',
        found: `${url.text} can be read and not written; ${held}`,
        advice:
          'Change the rights of the folder and its files, or the mount, where ctx is to write.',
      };
    } finally {
      await store.close();
    }
  } catch (error) {
    return problemOf(name, error);
  }
}

/** Proves the SQLite driver on a file of its own. */
export async function checkSqlite(): Promise<DoctorCheck> {
  const name = 'sqlite driver';
  const folder = await mkdtemp(join(tmpdir(), 'ctx-doctor-'));
  try {
    const path = join(folder, 'probe.db');
    const store = await openStore(
      await backendOf({ scheme: 'sqlite', path, text: `sqlite:${path}` }),
    );
    await store.close();
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    const isBuiltIn = major > 22 || (major === 22 && minor >= 13);
    return {
      name,
      status: 'ok',
      found: isBuiltIn ? 'node:sqlite works' : '@photostructure/sqlite works',
    };
  } catch (error) {
    return problemOf(name, error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
