import type { StoreUrl } from '@ctx/agent-adapter/store';
import { CtxError } from '@ctx/core';
import { countedText, countText } from '@ctx/core/encoding';
import { storeCollections, type VerifyReceipt, verifyStore, verifySummaryOf } from '@ctx/store';
import type { StoreBackend, StoredRecord } from '@ctx/store/backend';
import type { Command } from 'commander';
import type { CommandContext, StoreFlags } from '../../command-context.ts';
import { makeCommand, withStoreFlag } from '../../make-command.ts';
import { type VerifyAnswer, verifyAnswerSchema } from '../../schemas/store.ts';
import { backendOf, checkStoreExists, openToRead } from '../../store/open-store-url.ts';
import { storeLocationOf } from '../../store/store-location.ts';
import { startProgress } from '../../terminal/progress.ts';
import { checkFile } from '../../verify/check-file.ts';
import { keepRecords, keepSetAside, quarantineFolder } from '../../verify/quarantine.ts';

interface VerifyFlags extends StoreFlags {
  readonly repair?: boolean;
}

/** Most findings in the table. */
const mostShown = 50;

/** Opens the store to be written, or as it lies where that is not wanted. */
async function openBackend(url: StoreUrl, isRepair: boolean): Promise<StoreBackend> {
  if (!isRepair) return (await openToRead(url)).backend;
  const backend = await backendOf(url);
  await backend.open(storeCollections);
  return backend;
}

function optionsOf(context: CommandContext, url: StoreUrl, repair: boolean) {
  return {
    repair,
    keep: async (collection: string, records: readonly StoredRecord[]) => {
      // A repair of a record destroys what the store set aside of it.
      await keepSetAside(url);
      if (records.length > 0) await keepRecords(url, collection, records);
    },
    signal: context.host.signal,
  };
}

async function verified(
  context: CommandContext,
  url: StoreUrl,
  isRepair: boolean,
): Promise<VerifyReceipt & { readonly unsealed: number }> {
  const { findings: damage, unsealed, isBroken } = await checkFile(url, isRepair);
  // A database whose pages are broken is not opened as a store: what it gives may be anything.
  if (isBroken) {
    const gone = { 'result of a log': 0, 'content of a checkpoint': 0 };
    return { tenants: 0, records: 0, findings: damage, gone, unsealed };
  }
  const progress = startProgress(context);
  const backend = await openBackend(url, isRepair);
  try {
    const receipt = await verifyStore(backend, {
      ...optionsOf(context, url, isRepair),
      onProgress: (records, collection) => {
        progress.show(`checking ${collection}: ${countText(records)} records so far`);
      },
      others: async (found) => {
        const named = new Set(found.map(({ key }) => JSON.stringify(key)));
        if (url.scheme !== 'fs') return [];
        const { setAsideRecords } = await import('@ctx/store-fs');
        const all = await setAsideRecords(url.path, backend);
        return all.filter(({ key }) => !named.has(JSON.stringify(key)));
      },
    });
    // Reading has set aside what is damaged.
    const places = isRepair ? await leftOf(url, damage) : damage;
    return { ...receipt, findings: [...places, ...receipt.findings], unsealed };
  } finally {
    progress.clear();
    await backend.close();
  }
}

/** Damaged files that still are. */
async function leftOf(
  url: StoreUrl,
  damage: VerifyReceipt['findings'],
): Promise<VerifyReceipt['findings']> {
  return damage.length === 0 ? damage : (await checkFile(url, false)).findings;
}

function answerOf(
  url: StoreUrl,
  receipt: VerifyReceipt & { readonly unsealed: number },
): VerifyAnswer {
  const summary = verifySummaryOf(receipt);
  const hasKept = summary.repaired.quarantined > 0;
  const { unsealed } = receipt;
  return {
    store: url.text,
    ...summary,
    unsealed,
    ...(hasKept && { quarantine: quarantineFolder(url) }),
  };
}

const columns = [
  { title: 'problem' },
  { title: 'collection' },
  { title: 'record' },
  { title: 'repair' },
  { title: 'what', isFlexible: true },
] as const;

async function showFindings(context: CommandContext, answer: VerifyAnswer): Promise<void> {
  const rows = answer.findings
    .slice(0, mostShown)
    .map(({ kind, collection, key, what, repair, repaired }) => [
      kind,
      collection,
      key.slice(1).join(' / '),
      repaired ?? (repair === undefined ? 'none' : `would be ${repair}`),
      what,
    ]);
  await context.table(columns, rows);
  const more = answer.problems - rows.length;
  if (more > 0) await context.say(`${countText(more)} more: --json names them.`);
}

async function show(
  context: CommandContext,
  answer: VerifyAnswer,
  isRepair: boolean,
): Promise<void> {
  const { records, tenants, problems, left, repaired, quarantine, gone } = answer;
  if (problems > 0) await showFindings(context, answer);
  const looked = `${countedText(records, 'record')} of ${countedText(tenants, 'tenant')} checked`;
  const result = problems === 0 ? 'all is well' : countedText(problems, 'problem');
  await context.print(`${looked}: ${result}.\n`);
  if (isRepair && problems > 0) {
    const { quarantined, mended, removed } = repaired;
    const done = `${countText(quarantined)} quarantined, ${countText(mended)} mended, ${countText(removed)} removed`;
    await context.print(`Repaired: ${done}; ${countText(left)} left.\n`);
  }
  if (quarantine !== undefined) await context.say(`Quarantined records lie in ${quarantine}.`);
  if (gone.results + gone.contents > 0) {
    const what = `${countText(gone.results)} results that logs name and ${countText(gone.contents)} contents that checkpoints name`;
    await context.say(`Deleted or let go before, as wanted: ${what}.`);
  }
  if (answer.unsealed > 0) {
    const what = `${countedText(answer.unsealed, 'record')} of an older ctx have no checksum`;
    await context.say(`${what}: damage of their bodies cannot be told.`);
  }
  if (left > 0) await context.say(adviceFor(answer, isRepair));
}

function adviceFor({ findings, store }: VerifyAnswer, isRepair: boolean): string {
  const unfinished = findings.find(({ kind }) => kind === 'unfinished-purge');
  if (unfinished !== undefined) {
    const [tenant = ''] = unfinished.key;
    return `A purge goes on or was cut off: ctx purge --resume --tenant ${tenant} ends it, and so does any server over this store.`;
  }
  const file = findings.find(({ kind }) => kind === 'damaged-file');
  if (store.startsWith('sqlite:') && file !== undefined) {
    if (file.what === 'file is not a database')
      return 'If it is no store of ctx, name the file of one. If it was one, ctx doctor --repair brings back what can be read.';
    return 'The file itself is damaged: ctx doctor --repair brings back what can be read and keeps the damaged file, or bring a backup back.';
  }
  return isRepair
    ? 'What is left cannot be put right here: import or migrate those sessions again.'
    : 'ctx verify --repair puts right what can be.';
}

async function runVerify(context: CommandContext, flags: VerifyFlags): Promise<void> {
  const { url } = await storeLocationOf(context.host, flags.store);
  if (url.scheme === 'memory') {
    throw new CtxError('CTX_USAGE', 'a memory store ends with the command: name another');
  }
  await checkStoreExists(url, context.host);
  const isRepair = flags.repair === true;
  const answer = answerOf(url, await verified(context, url, isRepair));
  if (flags.json === true) await context.json(verifyAnswerSchema, answer);
  else await show(context, answer, isRepair);
  if (answer.left > 0) context.finish(1);
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'verify',
    summary:
      'Check every record of a store: checksums, pointers, counts, owners, search. Without --repair nothing is changed.',
    examples: ['ctx verify', 'ctx verify --repair', 'ctx verify --store fs:./data --json'],
  }).option(
    '--repair',
    'quarantine what is broken, mend counts and links, remove orphaned records',
  );
  return withStoreFlag(command).action((flags: VerifyFlags) => runVerify(context, flags));
}
