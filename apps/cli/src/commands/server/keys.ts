import { CtxError, systemClock } from '@ctx/core';
import { countText, timeText } from '@ctx/core/encoding';
import { entryOf, entrySchemas, openTenants } from '@ctx/server/records';
import { type Command, Option } from 'commander';
import type { CommandContext, StoreFlags } from '../../command-context.ts';
import { ageOf } from '../../config/retention-config.ts';
import {
  makeCommand,
  oneOf,
  wholeNumber,
  withPageFlags,
  withStoreFlag,
} from '../../make-command.ts';
import { upstreamsOf, withUpstreamFlag } from '../../proxy/upstream-flag.ts';
import { type KeyEntry, type KeysAnswer, keysAnswerSchema } from '../../schemas/server.ts';
import { backendOf, checkStoreExists, readableBackend } from '../../store/open-store-url.ts';
import { storeLocationOf } from '../../store/store-location.ts';

type TenantStores = Awaited<ReturnType<typeof openTenants>>;

interface KeysFlags extends StoreFlags {
  readonly scope: KeyEntry['scope'];
  readonly tenant?: string;
  readonly label: string;
  readonly expires?: string;
  readonly rate?: number;
  readonly upstream?: readonly string[];
  readonly limit: number;
  readonly after?: string;
}

type Answered = Omit<KeysAnswer, 'store'>;

const actions = ['create', 'list', 'revoke'] as const;

async function created({ keys }: TenantStores, flags: KeysFlags): Promise<Answered> {
  const { scope, tenant = 'default', label, expires, rate, upstream } = flags;
  const ends = expires === undefined ? {} : { expiresAt: systemClock() + ageOf(expires) };
  const limited = rate === undefined ? {} : { requestsPerMinute: rate };
  const named = Object.entries(upstreamsOf(upstream)).map(
    ([name, { href }]) => [name, href] as const,
  );
  const upstreams = named.length === 0 ? {} : { upstreams: Object.fromEntries(named) };
  const { key, text } = await keys.create({
    tenant,
    scope,
    label,
    ...ends,
    ...limited,
    ...upstreams,
  });
  return { keys: [{ ...entryOf.key(key), tenant: key.tenant }], text };
}

async function listed({ keys }: TenantStores, flags: KeysFlags): Promise<Answered> {
  const { tenant, limit, after } = flags;
  const page = await keys.list({
    limit,
    ...(tenant === undefined ? {} : { tenant }),
    ...(after === undefined ? {} : { after }),
  });
  const next = page.next === undefined ? {} : { next: page.next };
  return {
    keys: page.entries.map((key) => ({ ...entryOf.key(key), tenant: key.tenant })),
    ...next,
  };
}

async function revoked(
  { keys }: TenantStores,
  id: string | undefined,
  { tenant }: KeysFlags,
): Promise<Answered> {
  if (id === undefined) throw new CtxError('CTX_USAGE', 'name the key: ctx keys revoke <id>');
  const key = await keys.revoke(id, tenant === undefined ? {} : { tenant });
  return { keys: [{ ...entryOf.key(key), tenant: key.tenant }] };
}

function stateOf({ revokedAt, expiresAt }: KeyEntry): string {
  if (revokedAt !== undefined) return 'revoked';
  if (expiresAt === undefined) return 'good';
  const ends = Date.parse(expiresAt);
  return ends > systemClock() ? `good until ${timeText(ends)}` : 'expired';
}

const columns = [
  { title: 'key', isWhole: true },
  { title: 'tenant' },
  { title: 'scope' },
  { title: 'made' },
  { title: 'last used' },
  { title: 'rate' },
  { title: 'state' },
  { title: 'label', isFlexible: true },
];

async function show(
  context: CommandContext,
  { keys, text, next, store }: KeysAnswer,
): Promise<void> {
  if (text !== undefined) {
    await context.print(`${text}\n`);
    await context.say(`Shown only once. It opens servers of ${store}.`);
    return;
  }
  const rows = keys.map((key) => [
    key.id,
    key.tenant,
    key.scope,
    timeText(Date.parse(key.createdAt)),
    key.lastUsedDay ?? '',
    key.requestsPerMinute === undefined ? '' : `${countText(key.requestsPerMinute)}/min`,
    stateOf(key),
    key.label,
  ]);
  if (rows.length === 0) await context.say('No keys.');
  else await context.table(columns, rows);
  if (next !== undefined) await context.say(`More: --after ${next}`);
}

async function runKeys(
  context: CommandContext,
  [action, id]: readonly [(typeof actions)[number], string | undefined],
  flags: KeysFlags,
): Promise<void> {
  const { url } = await storeLocationOf(context.host, flags.store);
  if (action !== 'create') await checkStoreExists(url, context.host);
  const backend = action === 'list' ? await readableBackend(url) : await backendOf(url);
  const stores = await openTenants(backend);
  try {
    const answer =
      action === 'create'
        ? await created(stores, flags)
        : action === 'list'
          ? await listed(stores, flags)
          : await revoked(stores, id, flags);
    const whole = { store: url.text, ...answer };
    if (flags.json === true) await context.json(keysAnswerSchema, whole);
    else await show(context, whole);
  } finally {
    await stores.close();
  }
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'keys',
    summary: 'Create, list and revoke API keys. A key is shown only once.',
    examples: [
      'ctx keys create --scope write --label ci --expires 90d',
      'ctx keys list',
      'ctx keys revoke 0123456789abcdef',
    ],
  })
    .argument('<action>', actions.join(', '), oneOf(actions))
    .argument('[id]', 'the key to revoke')
    .addOption(
      new Option('--scope <name>', 'what the key may do')
        .choices(entrySchemas.key.shape.scope.options)
        .default('read'),
    )
    .option('--tenant <name>', 'tenant that it opens (default: default; of a list: all)')
    .option('--label <text>', 'name of the key', '')
    .option(
      '--expires <age>',
      'create: how long it is valid: 12h, 90d, 8w (default: until revoked)',
    )
    .option(
      '--rate <count>',
      'create: requests that it may send per minute (default: the limit of the server)',
      wholeNumber(1),
    );
  return withPageFlags(withStoreFlag(withUpstreamFlag(command, 'create: ')), 50).action(
    (action: (typeof actions)[number], id: string | undefined, flags: KeysFlags) =>
      runKeys(context, [action, id], flags),
  );
}
