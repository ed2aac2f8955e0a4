import { resolve } from 'node:path';
import { CtxError } from '@ctx/core';
import { countedText, countText } from '@ctx/core/encoding';
import { type BackendMaker, conformanceCases, runConformance } from '@ctx/store/testing';
import type { Command } from 'commander';
import type { CommandContext } from '../../command-context.ts';
import { loadExport } from '../../items/load-export.ts';
import { makeCommand } from '../../make-command.ts';
import { type ConformAnswer, type ConformEntry, conformAnswerSchema } from '../../schemas/store.ts';
import { startProgress } from '../../terminal/progress.ts';
import { isStoreUrl, makerOfUrl } from './conform-url.ts';

interface ConformFlags {
  readonly only?: string;
  readonly list?: boolean;
  readonly json?: boolean;
}

type MakeBackend = BackendMaker['create'];
type CaseResult = Awaited<ReturnType<typeof runConformance>>['results'][number];

/** The maker that a module exports: as default, or by the name `backend`. */
async function loadMaker(path: string): Promise<MakeBackend> {
  const maker = await loadExport(path, ['default', 'backend']);
  if (typeof maker === 'function') {
    // Whatever the function gives is what the kit tests.
    return maker as MakeBackend;
  }
  throw new CtxError(
    'CTX_USAGE',
    `${path} must export, as default or as \`backend\`, a function ({ place }) => StoreBackend`,
  );
}

function entryOf({ case: { id, group, name }, status, error }: CaseResult): ConformEntry {
  const said = error instanceof Error ? error.message : String(error);
  return {
    id,
    group,
    name,
    status,
    ...(error === undefined ? {} : { error: said }),
  };
}

const columns = [
  { title: 'group' },
  { title: 'passed', align: 'right' },
  { title: 'failed', align: 'right' },
] as const;

function groupRows(cases: readonly ConformEntry[]): string[][] {
  const groups = [...new Set(cases.map(({ group }) => group))];
  const count = (group: string, status: ConformEntry['status']): string =>
    countText(cases.filter((one) => one.group === group && one.status === status).length);
  return groups.map((group) => [group, count(group, 'passed'), count(group, 'failed')]);
}

async function printReport(context: CommandContext, answer: ConformAnswer): Promise<void> {
  const { passed, failed, notOffered, backend, cases } = answer;
  await context.table(columns, groupRows(cases));
  await context.print(`\n${backend}: ${countText(passed)} passed, ${countText(failed)} failed\n`);
  for (const { id, name, status, error = '' } of cases) {
    if (status === 'failed')
      await context.say(`failed ${id}: ${name}\n  ${error.split('\n').join('\n  ')}`);
  }
  if (notOffered.length === 0) return;
  await context.say(`not promised, and no case asks for it: ${notOffered.join(', ')}`);
}

/** Of a module, or of the URL of a store. */
async function makerOf(
  { host }: CommandContext,
  name: string,
): Promise<BackendMaker & { readonly shown: string }> {
  if (isStoreUrl(name)) {
    const { home } = await host.folders();
    return makerOfUrl(name, { cwd: host.cwd, home });
  }
  const path = resolve(host.cwd, name);
  return { create: await loadMaker(path), shown: path };
}

function caseFilter(only: string | undefined): (one: (typeof conformanceCases)[number]) => boolean {
  return ({ id }) => only === undefined || id.includes(only);
}

async function runConform(
  context: CommandContext,
  name: string,
  flags: ConformFlags,
): Promise<void> {
  const filter = caseFilter(flags.only);
  const chosen = conformanceCases.filter(filter);
  if (chosen.length === 0)
    throw new CtxError('CTX_NOT_FOUND', `no case has ${flags.only ?? ''} in its id`);
  const { shown, ...maker } = await makerOf(context, name);
  let backend = 'unknown';
  const create: MakeBackend = async (place) => {
    const made = await maker.create(place);
    backend = made.name;
    return made;
  };
  const progress = startProgress(context);
  let done = 0;
  const report = await runConformance({
    ...maker,
    create,
    filter: (one) => filter(one) && !context.host.signal.aborted,
    onResult: ({ case: { id } }) => {
      done += 1;
      progress.show(`${countText(done)} of ${countedText(chosen.length, 'case')}: ${id}`);
      if (context.host.signal.aborted) throw new CtxError('CTX_ABORTED', 'the run was stopped');
    },
  });
  progress.clear();
  const { passed, failed, notOffered, results } = report;
  const cases = results.map(entryOf);
  const answer = { tested: shown, backend, passed, failed, notOffered: [...notOffered], cases };
  if (flags.json === true) await context.json(conformAnswerSchema, answer);
  else await printReport(context, answer);
  if (failed > 0) context.finish(1);
}

async function listCases(context: CommandContext, { only }: ConformFlags): Promise<void> {
  const lines = conformanceCases.filter(caseFilter(only)).map(({ id, name }) => `${id}\t${name}\n`);
  await context.print(lines.join(''));
}

async function runOrList(
  context: CommandContext,
  name: string | undefined,
  flags: ConformFlags,
): Promise<void> {
  if (flags.list === true) return listCases(context, flags);
  if (name !== undefined) return runConform(context, name, flags);
  throw new CtxError('CTX_USAGE', 'name a module or a store URL, or use --list');
}

export function command(context: CommandContext): Command {
  return makeCommand({
    name: 'conform',
    summary:
      'Run the conformance kit against a store backend: one that a module exports, whose code is run, or one at a store URL, beside the existing store.',
    examples: [
      'ctx conform ./my-backend.js',
      'ctx conform ./my-backend.js --only scan/',
      'ctx conform postgres://ctx@127.0.0.1/ctx',
      'ctx conform --list',
    ],
  })
    .argument(
      '[module-or-url]',
      'module that exports ({ place }) => StoreBackend, as default or as `backend`; or the URL of a store, in whose database or beside whose files new stores are created and deleted',
    )
    .option('--only <text>', 'only cases whose id contains this')
    .option('--list', 'list the cases and run nothing')
    .action((name: string | undefined, flags: ConformFlags) => runOrList(context, name, flags));
}
