import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CtxError, isCtxError } from '@ctx/core';
import {
  checkInsideProject,
  configIn,
  findProjectConfig,
  userConfigNames,
} from './config-files.ts';
import { hasFiles, parseStoreUrl, type StoreUrl } from './store-url.ts';

/** Who said which store to use. */
export type StoreOrigin = 'flag' | 'environment' | 'project' | 'user' | 'default';

/** The store of a command, and why it is this one. */
export interface StoreLocation {
  readonly url: StoreUrl;
  readonly origin: StoreOrigin;
  /** The config file that said it. */
  readonly configPath?: string;
}

/** Folders of this user. */
export interface UserFolders {
  readonly home: string;
  /** Holds `config.json`. */
  readonly config: string;
  /** Holds `ctx.db`. */
  readonly data: string;
}

/** Where it is asked from, and how config files are read. */
export interface StoreAsker {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Asked for when needed: finding them loads a library. */
  readonly folders: () => Promise<UserFolders>;
  /** `undefined` where there is no such file. */
  readonly readConfig: (path: string) => Promise<{ readonly store?: string } | undefined>;
}

/** The folders of the user who runs this process. */
export async function userFolders(): Promise<UserFolders> {
  const { default: envPaths } = await import('env-paths');
  const { config, data } = envPaths('ctx', { suffix: '' });
  return { home: homedir(), config, data };
}

/**
 * Reads a URL.
 * @throws `CTX_INVALID_INPUT`, saying who named it.
 */
function urlOf(text: string, from: Parameters<typeof parseStoreUrl>[1], who: string): StoreUrl {
  try {
    return parseStoreUrl(text, from);
  } catch (error) {
    if (!isCtxError(error)) throw error;
    throw new CtxError(error.code, `${who}: ${error.message}`);
  }
}

async function fromProject(
  { cwd, readConfig }: StoreAsker,
  home: string,
): Promise<StoreLocation | undefined> {
  const configPath = await findProjectConfig(cwd);
  if (configPath === undefined) return undefined;
  const config = await readConfig(configPath);
  if (config?.store === undefined) return undefined;
  const url = urlOf(config.store, { cwd: dirname(configPath), home }, configPath);
  if (url.scheme === 'postgres') {
    const message = `${configPath} names a server; give it by --store or CTX_STORE, or in your own config`;
    throw new CtxError('CTX_NOT_ALLOWED', message);
  }
  if (hasFiles(url)) await checkInsideProject(url.path, configPath);
  return { url, origin: 'project', configPath };
}

/**
 * The store to use: `--store`, else `CTX_STORE`, else the project's config, else the user's, else `ctx.db` in the user's
 * data folder.
 * @throws `CTX_INVALID_INPUT`, `CTX_NOT_ALLOWED`.
 */
export async function locateStore(
  asker: StoreAsker,
  flag: string | undefined,
): Promise<StoreLocation> {
  const { cwd, env, readConfig } = asker;
  const { home, config, data } = await asker.folders();
  if (flag !== undefined) return { url: urlOf(flag, { cwd, home }, '--store'), origin: 'flag' };
  const named = env['CTX_STORE'];
  if (named !== undefined && named !== '') {
    return { url: urlOf(named, { cwd, home }, 'CTX_STORE'), origin: 'environment' };
  }
  const project = await fromProject(asker, home);
  if (project !== undefined) return project;
  const configPath = await configIn(config, userConfigNames);
  const user = configPath === undefined ? undefined : await readConfig(configPath);
  if (configPath !== undefined && user?.store !== undefined) {
    const url = urlOf(user.store, { cwd: config, home }, configPath);
    return { url, origin: 'user', configPath };
  }
  const path = join(data, 'ctx.db');
  return { url: { scheme: 'sqlite', path, text: `sqlite:${path}` }, origin: 'default' };
}
