import { dirname } from 'node:path';
import { checkInsideProject, parseStoreUrl } from '@ctx/agent-adapter/store';
import { CtxError } from '@ctx/core';
import type { Command } from 'commander';
import type { CommandContext, StoreFlags } from '../../command-context.ts';
import {
  type ConfigKey,
  configKeyOf,
  configKeys,
  configMeanings,
  withValue,
} from '../../config/config-keys.ts';
import { type ConfigValue, configFilesOf, configValues } from '../../config/config-values.ts';
import { writeConfig } from '../../config/write-config.ts';
import { makeCommand, oneOf, withNotes, withStoreFlag } from '../../make-command.ts';
import { readConfig } from '../../read-config.ts';
import { type ConfigAnswer, configAnswerSchema } from '../../schemas/store.ts';
import { hasFiles } from '../../store/store-location.ts';

const actions = ['list', 'get', 'set', 'unset'] as const;
type Action = (typeof actions)[number];

interface ConfigFlags extends StoreFlags {
  readonly project?: boolean;
}

interface Asked {
  readonly action: Action;
  readonly name: string | undefined;
  readonly value: string | undefined;
}

const columns = [
  { title: 'setting', isWhole: true },
  { title: 'value', isWhole: true },
  { title: 'set by' },
  { title: 'from', isFlexible: true },
] as const;

function keyAsked({ action, name }: Asked): ConfigKey {
  if (name !== undefined) return configKeyOf(name);
  throw new CtxError('CTX_USAGE', `name the setting: ctx config ${action} <setting>`);
}

/** Writes the file of the user or of the project, and gives its path. */
async function change(context: CommandContext, asked: Asked, isProject: boolean): Promise<string> {
  const key = keyAsked(asked);
  if (asked.action === 'set' && asked.value === undefined) {
    throw new CtxError('CTX_USAGE', `say what it is to be: ctx config set ${key} <value>`);
  }
  const files = await configFilesOf(context.host);
  const path = isProject ? files.project : files.user;
  const before = (await readConfig(path)) ?? {};
  const text = await textFor(context, { ...asked, key }, path);
  await writeConfig(path, withValue(before, key, text));
  return path;
}

/** A project's config says nothing of servers: whoever works on it would send what is stored to a machine of its author's choice. */
function configConnection(connection: string, isProject: boolean): string {
  if (!isProject) return connection;
  const message =
    'a project names no server; give it by --store or CTX_STORE, or in your own config';
  throw new CtxError('CTX_NOT_ALLOWED', message);
}

/** What is written: the URL of a store is checked first; that of the user is made whole, since it is meant from here. */
async function textFor(
  { host }: CommandContext,
  { action, key, value }: Asked & { readonly key: ConfigKey },
  path: string,
): Promise<string | undefined> {
  if (action === 'unset') return undefined;
  if (key !== 'store' || value === undefined) return value;
  const { home } = await host.folders();
  const files = await configFilesOf(host);
  const isProject = path === files.project;
  const url = parseStoreUrl(value, { cwd: isProject ? dirname(path) : host.cwd, home });
  if (url.scheme === 'postgres') return configConnection(url.connection, isProject);
  if (!isProject) return url.text;
  if (hasFiles(url)) await checkInsideProject(url.path, path);
  return value;
}

async function show(context: CommandContext, values: readonly ConfigValue[]): Promise<void> {
  const rows = values.map(({ key, value, origin, source }) => [
    key,
    value ?? 'not set',
    value === undefined ? '' : origin,
    source ?? '',
  ]);
  await context.table(columns, rows);
}

async function answer(
  context: CommandContext,
  asked: Asked,
  flags: ConfigFlags,
): Promise<{ values: readonly ConfigValue[]; wrote?: string }> {
  if (asked.action === 'list') return { values: await configValues(context.host, flags.store) };
  const key = keyAsked(asked);
  const wrote =
    asked.action === 'get' ? undefined : await change(context, asked, flags.project === true);
  const values = (await configValues(context.host, flags.store)).filter((one) => one.key === key);
  return { values, ...(wrote === undefined ? {} : { wrote }) };
}

async function runConfig(context: CommandContext, asked: Asked, flags: ConfigFlags): Promise<void> {
  const { values, wrote } = await answer(context, asked, flags);
  if (flags.json === true) {
    const files = await configFilesOf(context.host);
    const json: ConfigAnswer = {
      settings: values,
      files,
      ...(wrote === undefined ? {} : { wrote }),
    };
    return context.json(configAnswerSchema, json);
  }
  if (wrote !== undefined) return showWritten(context, values, wrote);
  if (asked.action === 'list') return show(context, values);
  const [only] = values;
  if (only?.value === undefined) {
    context.finish(3);
    return context.say(`${keyAsked(asked)} is not set.`);
  }
  await context.print(`${only.value}\n`);
}

/** A file was written; where something else has the say, that is told. */
async function showWritten(
  context: CommandContext,
  [only]: readonly ConfigValue[],
  wrote: string,
): Promise<void> {
  await context.say(`Written to ${wrote}.`);
  if (only?.value === undefined || only.source === wrote) return;
  const who = only.source ?? 'the default';
  await context.say(`In force is ${only.value}, by ${who}.`);
}

export function command(context: CommandContext): Command {
  const meanings = configKeys.map((key) => `  ${key.padEnd(22)} ${configMeanings[key]}`);
  const command = makeCommand({
    name: 'config',
    summary: 'Show each setting and its source (flag, environment, project, user), or change one.',
    examples: [
      'ctx config',
      'ctx config get store',
      'ctx config set store sqlite:~/agents.db',
      'ctx config set retention.maxAge 90d --project',
    ],
  })
    .argument('[action]', actions.join(', '), oneOf(actions), 'list')
    .argument('[setting]', 'name of the setting')
    .argument('[value]', 'the new value')
    .option('--project', 'set or unset: in the file of the project, not of the user');
  type Given = [Action, string | undefined, string | undefined, ConfigFlags];
  const noted = withNotes(command, `Settings:\n${meanings.join('\n')}\n`);
  return withStoreFlag(noted).action((...[action, name, value, flags]: Given) =>
    runConfig(context, { action, name, value }, flags),
  );
}
