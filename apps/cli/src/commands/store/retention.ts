import type { StoreUrl } from '@ctx/agent-adapter/store';
import { CtxError } from '@ctx/core';
import { countedText } from '@ctx/core/encoding';
import { type ContextStore, openStore } from '@ctx/store';
import type { Command } from 'commander';
import { type CommandContext, checkWanted, type StoreFlags } from '../../command-context.ts';
import { type ConfigKey, withValue } from '../../config/config-keys.ts';
import { configFilesOf, configValues } from '../../config/config-values.ts';
import { ageOf, sizeOf } from '../../config/retention-config.ts';
import { writeConfig } from '../../config/write-config.ts';
import { makeCommand, oneOf, wholeNumber, withStoreFlag } from '../../make-command.ts';
import { isTraceless } from '../../purge/holds-no-trace.ts';
import { readConfig } from '../../read-config.ts';
import {
  type RetentionWork,
  showRetentionDone,
  showRetentionPlan,
} from '../../retention/show-retention.ts';
import {
  type RetentionAnswer,
  type RetentionRule,
  retentionAnswerSchema,
} from '../../schemas/store.ts';
import {
  backendOf,
  checkStoreExists,
  closeErased,
  erasesByItself,
  openExisting,
} from '../../store/open-store-url.ts';
import { storeLocationOf } from '../../store/store-location.ts';

const actions = ['show', 'run', 'set'] as const;
type Action = (typeof actions)[number];

interface RetentionFlags extends StoreFlags {
  readonly maxAge?: string;
  readonly maxBytes?: string;
  readonly checkpoints?: number;
  readonly tenant: string;
  readonly project?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

const keys: readonly (readonly [ConfigKey, 'maxAge' | 'maxBytes' | 'checkpoints'])[] = [
  ['retention.maxAge', 'maxAge'],
  ['retention.maxBytes', 'maxBytes'],
  ['retention.checkpoints', 'checkpoints'],
];

/** The limits in force: a flag of this call wins over the config. */
async function rulesOf(context: CommandContext, flags: RetentionFlags): Promise<RetentionRule[]> {
  const values = await configValues(context.host, flags.store);
  return keys.map(([key, flag]) => {
    const given = flags[flag];
    if (given !== undefined) return { rule: flag, value: String(given), origin: 'flag' };
    const found = values.find((one) => one.key === key);
    const value = found?.value === undefined ? {} : { value: found.value };
    return { rule: flag, origin: found?.origin ?? 'default', ...value };
  });
}

type Retention = ContextStore['retention'];

function policyOf(rules: readonly RetentionRule[]): Parameters<Retention['plan']>[0] {
  const [age, bytes, checkpoints] = keys.map(
    ([, flag]) => rules.find(({ rule }) => rule === flag)?.value,
  );
  return {
    ...(age === undefined ? {} : { maxAgeMs: ageOf(age) }),
    ...(bytes === undefined ? {} : { maxTotalBytes: sizeOf(bytes) }),
    ...(checkpoints === undefined ? {} : { checkpoints: Number(checkpoints) }),
  };
}

/** Writes the limits of this call into the config of the user or of the project. */
async function setRules(context: CommandContext, flags: RetentionFlags): Promise<string> {
  const given = keys.filter(([, flag]) => flags[flag] !== undefined);
  if (given.length === 0) {
    throw new CtxError('CTX_USAGE', 'say the limit: --max-age, --max-bytes or --checkpoints');
  }
  const files = await configFilesOf(context.host);
  const path = flags.project === true ? files.project : files.user;
  let config = (await readConfig(path)) ?? {};
  for (const [key, flag] of given) config = withValue(config, key, String(flags[flag]));
  await writeConfig(path, config);
  return path;
}

function plannedOf({
  outputs,
  checkpoints,
}: Awaited<ReturnType<Retention['plan']>>): RetentionWork {
  const { leaving, bytesBefore, bytesAfter, keptPinned } = outputs;
  return {
    outputs: leaving.length,
    bytesBefore,
    bytesAfter,
    keptPinned,
    checkpoints: checkpoints.length,
  };
}

async function worked(
  context: CommandContext,
  { retention }: ContextStore,
  { rules, flags, isRun }: { rules: RetentionRule[]; flags: RetentionFlags; isRun: boolean },
): Promise<Omit<RetentionAnswer, 'store' | 'policy'>> {
  const policy = policyOf(rules);
  const plan = await retention.plan(policy);
  const planned = plannedOf(plan);
  if (flags.json !== true) await showRetentionPlan(context, rules, planned);
  const isNothing = planned.outputs + planned.checkpoints === 0;
  if (isNothing || !isRun) return { outcome: isNothing ? 'nothing' : 'planned', ...planned };
  if (flags.yes !== true) {
    const what = `${countedText(planned.outputs, 'output')} and ${countedText(planned.checkpoints, 'checkpoint')}`;
    await checkWanted(context, `Destroy ${what} for good?`, 'nothing was destroyed');
  }
  const { contents: _contents, ...done } = await retention.apply(plan, policy);
  return { outcome: 'done', ...done };
}

/** Who only looks reads what there is, also where nothing can be written. */
async function openFor(url: StoreUrl, isRun: boolean, tenant: string): Promise<ContextStore> {
  if (!isRun) return (await openExisting(url, {}, { tenant })).store;
  const backend = await backendOf(url, { eraseOnClose: erasesByItself(url) });
  return openStore(backend, { tenant });
}

async function opened(
  context: CommandContext,
  url: StoreUrl,
  asked: { rules: RetentionRule[]; flags: RetentionFlags; isRun: boolean },
): Promise<Omit<RetentionAnswer, 'store' | 'policy'>> {
  const store = await openFor(url, asked.isRun, asked.flags.tenant);
  let answer: Omit<RetentionAnswer, 'store' | 'policy'>;
  try {
    answer = await worked(context, store, asked);
  } catch (error) {
    await store.close().catch(() => undefined); // The first error is the one that tells.
    throw error;
  }
  const isErased = await closeErased(store);
  if (answer.outcome !== 'done') return answer;
  return { ...answer, traceless: isErased && (await isTraceless(url)) };
}

async function runRetention(
  context: CommandContext,
  action: Action,
  flags: RetentionFlags,
): Promise<void> {
  const { url } = await storeLocationOf(context.host, flags.store);
  const wrote = action === 'set' ? await setRules(context, flags) : undefined;
  const rules = await rulesOf(context, flags);
  policyOf(rules);
  const none = { outputs: 0, bytesBefore: 0, bytesAfter: 0, keptPinned: 0, checkpoints: 0 };
  let done: Omit<RetentionAnswer, 'store' | 'policy'>;
  if (wrote !== undefined) done = { outcome: 'set', wrote, ...none };
  else {
    await checkStoreExists(url, context.host);
    const isRun = action === 'run' && flags.dryRun !== true;
    done = await opened(context, url, { rules, flags, isRun });
  }
  const answer: RetentionAnswer = { store: url.text, policy: rules, ...done };
  if (flags.json === true) await context.json(retentionAnswerSchema, answer);
  else await showRetentionDone(context, answer, url.scheme === 'postgres');
  if (answer.traceless === false && url.scheme !== 'postgres') context.finish(1);
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'retention',
    summary: 'Show or set how long outputs and checkpoints are kept, or delete what is older.',
    examples: [
      'ctx retention',
      'ctx retention set --max-age 90d --max-bytes 2GB',
      'ctx retention run --dry-run',
      'ctx retention run --yes',
    ],
  })
    .argument('[action]', actions.join(', '), oneOf(actions), 'show')
    .option('--max-age <age>', 'delete older outputs and unlabelled checkpoints: 12h, 90d, 8w')
    .option('--max-bytes <size>', 'delete the oldest outputs beyond this size: 500MB, 2GB')
    .option('--checkpoints <count>', 'unlabelled checkpoints to keep per agent', wholeNumber(1))
    .option('--project', 'set: in the config of the project, not of the user')
    .option('--tenant <name>', 'whose records', 'default')
    .option('--dry-run', 'run: only show what would be deleted')
    .option('--yes', 'do not ask');
  return withStoreFlag(command).action((action: Action, flags: RetentionFlags) =>
    runRetention(context, action, flags),
  );
}
