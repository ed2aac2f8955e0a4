import { findConfigFiles } from '@ctx/agent-adapter/store';
import type { CliHost } from '../cli-host.ts';
import { type CtxConfig, readConfig } from '../read-config.ts';
import { type StoreLocation, storeLocationOf } from '../store/store-location.ts';
import { type ConfigKey, configKeys, valueIn } from './config-keys.ts';

type StoreOrigin = StoreLocation['origin'];

/** One setting as it is in force. */
export interface ConfigValue {
  readonly key: ConfigKey;
  /** Missing where nothing is set and nothing stands in its place. */
  readonly value?: string;
  readonly origin: StoreOrigin;
  /** The flag, the variable or the file that said it. */
  readonly source?: string;
}

/** Finds the config files of this user and of the project around the working folder. */
export async function configFilesOf({ cwd, folders }: CliHost): ReturnType<typeof findConfigFiles> {
  return findConfigFiles(cwd, (await folders()).config);
}

async function storeValue(host: CliHost, flag: string | undefined): Promise<ConfigValue> {
  const { url, origin, configPath } = await storeLocationOf(host, flag);
  const named = { flag: '--store', environment: 'CTX_STORE' } as const;
  const source = origin === 'flag' || origin === 'environment' ? named[origin] : configPath;
  return { key: 'store', value: url.text, origin, ...(source === undefined ? {} : { source }) };
}

interface Layer {
  readonly origin: 'project' | 'user';
  readonly path: string;
  readonly config: CtxConfig;
}

/** The files in the order of their say. What a project says of deleting counts for its own store alone. */
async function layersOf(host: CliHost, storeOrigin: StoreOrigin): Promise<Layer[]> {
  const files = await configFilesOf(host);
  const layers: Layer[] = [];
  if (files.hasProject && storeOrigin === 'project') {
    const config = await readConfig(files.project);
    if (config !== undefined) layers.push({ origin: 'project', path: files.project, config });
  }
  const config = files.hasUser ? await readConfig(files.user) : undefined;
  if (config !== undefined) layers.push({ origin: 'user', path: files.user, config });
  return layers;
}

/** Every setting in force, and its source: flag, environment, project, user, or default; throws `CTX_INVALID_INPUT`. */
export async function configValues(
  host: CliHost,
  storeFlag: string | undefined,
): Promise<readonly ConfigValue[]> {
  const store = await storeValue(host, storeFlag);
  const layers = await layersOf(host, store.origin);
  return configKeys.map((key): ConfigValue => {
    if (key === 'store') return store;
    for (const { origin, path, config } of layers) {
      const value = valueIn(config, key);
      if (value !== undefined) return { key, value: String(value), origin, source: path };
    }
    return { key, origin: 'default' };
  });
}
