import type { Command } from 'commander';
import { failureOf } from '../../cli-errors.ts';
import type { CommandContext, StoreFlags } from '../../command-context.ts';
import { checkContent } from '../../doctor/check-content.ts';
import { checkPermissions, checkRoom } from '../../doctor/check-files.ts';
import { checkSqlite, checkStore } from '../../doctor/check-store.ts';
import { repairLines, repairStore } from '../../doctor/repair-store.ts';
import { makeCommand, withStoreFlag } from '../../make-command.ts';
import { type DoctorCheck, type DoctorRepair, doctorAnswerSchema } from '../../schemas/store.ts';
import { storeExists } from '../../store/open-store-url.ts';
import { hasFiles, type StoreLocation, storeLocationOf } from '../../store/store-location.ts';

/** Oldest Node that ctx promises to run on. */
const oldest = { major: 20, minor: 19 };

function checkNode(): DoctorCheck {
  const name = 'node';
  const found = process.version;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isNewEnough = major > oldest.major || (major === oldest.major && minor >= oldest.minor);
  if (isNewEnough) return { name, status: 'ok', found };
  const needed = `${String(oldest.major)}.${String(oldest.minor)}`;
  return { name, status: 'problem', found, advice: `Install Node ${needed} or later.` };
}

const origins: Readonly<Record<StoreLocation['origin'], string>> = {
  flag: 'the flag --store',
  environment: 'CTX_STORE',
  project: 'the project config',
  user: 'the user config',
  default: 'the defaults of ctx',
};

function checkConfig({ url, origin, configPath }: StoreLocation): DoctorCheck {
  const file = configPath === undefined ? '' : ` ${configPath}`;
  return { name: 'config', status: 'ok', found: `${url.text}, from ${origins[origin]}${file}` };
}

async function attempt(name: string, check: () => Promise<DoctorCheck>): Promise<DoctorCheck> {
  try {
    return await check();
  } catch (error) {
    const { message, advice } = failureOf(error);
    return { name, status: 'problem', found: message, ...(advice === undefined ? {} : { advice }) };
  }
}

async function storeChecks(location: StoreLocation): Promise<DoctorCheck[]> {
  const { url } = location;
  const store = await checkStore(url);
  const checks = [checkConfig(location), store];
  if (!hasFiles(url)) return checks;
  // What is no store of ctx is not ours to give advice about.
  const isOurs = store.status !== 'problem';
  if (isOurs && (await storeExists(url).catch(() => false))) {
    checks.push(await attempt('permissions', () => checkPermissions(url)));
    checks.push(await attempt('content', () => checkContent(url)));
  }
  checks.push(await attempt('disk room', () => checkRoom(url)));
  return checks;
}

async function runChecks(context: CommandContext, flags: StoreFlags): Promise<DoctorCheck[]> {
  const checks = [checkNode(), await attempt('sqlite driver', checkSqlite)];
  try {
    checks.push(...(await storeChecks(await storeLocationOf(context.host, flags.store))));
  } catch (error) {
    const { message } = failureOf(error);
    const advice = 'Correct the config file or the URL.';
    checks.push({ name: 'config', status: 'problem', found: message, advice });
  }
  return checks;
}

const columns = [
  { title: 'check' },
  { title: 'status' },
  { title: 'found', isFlexible: true },
] as const;

interface DoctorFlags extends StoreFlags {
  readonly repair?: boolean;
}

async function repaired(
  context: CommandContext,
  flags: DoctorFlags,
): Promise<DoctorRepair | undefined> {
  if (flags.repair !== true) return undefined;
  return await repairStore((await storeLocationOf(context.host, flags.store)).url);
}

async function runDoctor(context: CommandContext, flags: DoctorFlags): Promise<void> {
  const repair = await repaired(context, flags);
  const checks = await runChecks(context, flags);
  const isHealthy = checks.every(({ status }) => status !== 'problem');
  if (flags.json === true) {
    const answer = { isHealthy, checks, ...(repair && { repair }) };
    await context.json(doctorAnswerSchema, answer);
  } else {
    for (const line of repair ? repairLines(repair) : []) await context.print(`${line}\n`);
    const rows = checks.map(({ name, status, found }) => [name, status, found]);
    await context.table(columns, rows);
    for (const { name, advice } of checks) {
      if (advice !== undefined) await context.say(`${name}: ${advice}`);
    }
  }
  if (!isHealthy) context.finish(1);
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'doctor',
    summary:
      'Check Node, the SQLite driver, the config, and the store: reachable, private, undamaged, with free space. Without --repair nothing is changed.',
    examples: ['ctx doctor', 'ctx doctor --repair', 'ctx doctor --store fs:./data --json'],
  }).option(
    '--repair',
    'rescue a damaged database: what can be read goes into a new file, the damaged one is kept beside it',
  );
  return withStoreFlag(command).action((flags: DoctorFlags) => runDoctor(context, flags));
}
