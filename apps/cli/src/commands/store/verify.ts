import type { StoreUrl } from '@ctx/agent-adapter/store';
import { CtxError } from '@ctx/core';
import {
  applyRepair,
  storeCollections,
  type Verified,
  type VerifyOptions,
  type VerifyReceipt,
  verifyStore,
  verifySummaryOf,
} from '@ctx/store';
import type { StoreBackend } from '@ctx/store/backend';
import type { Command } from 'commander';
import {
  type CommandContext,
  type StoreFlags,
  writeErr,
  writeJson,
  writeOut,
  writeRendered,
} from '../../command-context.ts';
import { makeCommand, withStoreFlag } from '../../make-command.ts';
import { type VerifyAnswer, verifyAnswerSchema } from '../../schemas/store/verify.ts';
import { backendOf, checkStoreExists, openToRead } from '../../store/open-store-url.ts';
import { storeLocationOf } from '../../store/store-location.ts';
import { startProgress } from '../../terminal/progress.ts';
import { countedText, countText } from '../../terminal/render.ts';
import { renderTable } from '../../terminal/render-table.ts';
import { checkFile } from '../../verify/check-file.ts';
import { keepRecords, keepSetAside, quarantineFolder } from '../../verify/quarantine.ts';
import { setAsideRecords } from '../../verify/set-aside.ts';

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

/** Records that a file store set aside by itself and no check named; with `--repair` they are kept apart and leave it. */
async function settleSetAside(
  backend: StoreBackend,
  url: StoreUrl,
  { isRepair, named }: { readonly isRepair: boolean; readonly named: ReadonlySet<string> },
): Promise<Verified[]> {
  const all = await setAsideRecords(backend, url);
  const found = all.filter(({ key }) => !named.has(JSON.stringify(key)));
  if (!isRepair || found.length === 0) return found;
  await keepSetAside(url);
  const settled: Verified[] = [];
  for (const finding of found) {
    const { repair } = finding;
    const isDone =
      repair !== undefined && (await applyRepair(backend, repair, async () => undefined));
    settled.push(isDone ? { ...finding, repaired: repair.how } : finding);
  }
  return settled;
}

function optionsOf(context: CommandContext, url: StoreUrl, repair: boolean): VerifyOptions {
  return {
    repair,
    keep: async (collection, records) => {
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
    });
    const named = new Set(receipt.findings.map(({ key }) => JSON.stringify(key)));
    const others = await settleSetAside(backend, url, { isRepair, named });
    const found = [...receipt.findings, ...others];
    // Reading has set aside what is damaged.
    const places = isRepair ? await leftOf(url, damage) : damage;
    return { ...receipt, findings: [...places, ...found], unsealed };
  } finally {
    progress.clear();
    await backend.close();
  }
}

/** Damaged files that still are. */
async function leftOf(url: StoreUrl, damage: readonly Verified[]): Promise<readonly Verified[]> {
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
  await writeRendered(context, renderTable(context, columns, rows));
  const more = answer.problems - rows.length;
  if (more > 0) await writeErr(context, `${countText(more)} more: --json names them.`);
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
  await writeOut(context, `${looked}: ${result}.\n`);
  if (isRepair && problems > 0) {
    const { quarantined, mended, removed } = repaired;
    const done = `${countText(quarantined)} quarantined, ${countText(mended)} mended, ${countText(removed)} removed`;
    await writeOut(context, `Repaired: ${done}; ${countText(left)} left.\n`);
  }
  if (quarantine !== undefined)
    await writeErr(context, `Quarantined records lie in ${quarantine}.`);
  if (gone.results + gone.contents > 0) {
    const what = `${countText(gone.results)} results that logs name and ${countText(gone.contents)} contents that checkpoints name`;
    await writeErr(context, `Deleted or let go before, as wanted: ${what}.`);
  }
  if (answer.unsealed > 0) {
    const what = `${countedText(answer.unsealed, 'record')} of an older ctx have no checksum`;
    await writeErr(context, `${what}: damage of their bodies cannot be told.`);
  }
  if (left > 0) await writeErr(context, adviceFor(answer, isRepair));
}

function adviceFor({ findings, store }: VerifyAnswer, isRepair: boolean): string {
  const unfinished = findings.find(({ kind }) => kind === 'unfinished-purge');
  if (unfinished !== undefined) {
    const [tenant = ''] = unfinished.key;
    return `A purge goes on or was cut off: ctx purge --resume --tenant ${tenant} ends it, and so does any server over this store.`;
  }
  if (store.startsWith('sqlite:') && findings.some(({ kind }) => kind === 'damaged-file')) {
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
  if (flags.json === true) await writeJson(context, verifyAnswerSchema, answer);
  else await show(context, answer, isRepair);
  if (answer.left > 0) context.finish(1);
}

/** `ctx verify` */
export function verifyCommand(context: CommandContext): Command {
  const command = makeCommand({
    name: 'verify',
    summary:
      'Check every record of a store: checksums, pointers, counts, owners, search. Without --repair nothing is changed.',
    examples: ['ctx verify', 'ctx verify --repair', 'ctx verify --store fs:./data --json'],
  }).option(
    '--repair',
    'quarantine what is broken, mend counts and links, remove what nobody owns',
  );
  return withStoreFlag(command).action((flags: VerifyFlags) => runVerify(context, flags));
}
