import { CtxError } from '@ctx/core';
import { type CtxConfig, checkConfig } from '../read-config.ts';

/** Everything that a config file can set. */
export type ConfigKey =
  | 'store'
  | 'retention.maxAge'
  | 'retention.maxBytes'
  | 'retention.checkpoints';

/** Every key, in the order of the list. */
export const configKeys: readonly ConfigKey[] = [
  'store',
  'retention.maxAge',
  'retention.maxBytes',
  'retention.checkpoints',
];

/** What each key means, for people. */
export const configMeanings: Readonly<Record<ConfigKey, string>> = {
  store: 'URL of the store',
  'retention.maxAge': 'older outputs and unnamed checkpoints leave, such as 90d',
  'retention.maxBytes': 'the oldest outputs leave beyond this size, such as 2GB',
  'retention.checkpoints': 'unlabelled checkpoints to keep per agent',
};

type RetentionName = 'maxAge' | 'maxBytes' | 'checkpoints';

const retentionNames: Readonly<Partial<Record<ConfigKey, RetentionName>>> = {
  'retention.maxAge': 'maxAge',
  'retention.maxBytes': 'maxBytes',
  'retention.checkpoints': 'checkpoints',
};

/** Reads the name of a key; throws `CTX_INVALID_OPTION` naming those that there are. */
export function configKeyOf(name: string): ConfigKey {
  const found = configKeys.find((key) => key === name);
  if (found !== undefined) return found;
  const names = configKeys.join(', ');
  throw new CtxError('CTX_INVALID_OPTION', `no setting is called ${name}; there are ${names}`);
}

/** What a file says of a key. */
export function valueIn(config: CtxConfig, key: ConfigKey): string | number | undefined {
  const name = retentionNames[key];
  return name === undefined ? config.store : config.retention?.[name];
}

/**
 * The config with another value of a key; without `text` the key is taken out.
 * @throws `CTX_INVALID_OPTION` for a value that the key cannot have.
 */
export function withValue(config: CtxConfig, key: ConfigKey, text: string | undefined): CtxConfig {
  const name = retentionNames[key];
  const { store, retention, ...rest } = config;
  if (name === undefined) {
    const kept = retention === undefined ? {} : { retention };
    return checkConfig(
      { ...(text === undefined ? {} : { store: text }), ...kept, ...rest },
      `${key} cannot be set so`,
    );
  }
  const value = name === 'checkpoints' && text !== undefined ? Number(text) : text;
  const { [name]: _before, ...others } = retention ?? {};
  const changed = value === undefined ? others : { ...others, [name]: value };
  const kept = Object.keys(changed).length === 0 ? {} : { retention: changed };
  return checkConfig(
    { ...(store === undefined ? {} : { store }), ...kept, ...rest },
    `${key} cannot be set so`,
  );
}
