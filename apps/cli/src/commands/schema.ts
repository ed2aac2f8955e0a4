import { CtxError } from '@ctx/core';
import type { Command } from 'commander';
import { z } from 'zod';
import { type CommandContext, writeOut } from '../command-context.ts';
import { makeCommand } from '../make-command.ts';
import { cacheLintAnswerSchema } from '../schemas/cache-lint.ts';
import {
  checkpointsAnswerSchema,
  flashSaveAnswerSchema,
  forkAnswerSchema,
  restoreAnswerSchema,
} from '../schemas/checkpoints.ts';
import { compactAnswerSchema } from '../schemas/compact.ts';
import { completionAnswerSchema } from '../schemas/completion.ts';
import { configAnswerSchema } from '../schemas/config.ts';
import { conformAnswerSchema } from '../schemas/conform.ts';
import { diffAnswerSchema } from '../schemas/diff.ts';
import { doctorAnswerSchema } from '../schemas/doctor.ts';
import { documentAnswerSchema } from '../schemas/document.ts';
import { exportAnswerSchema } from '../schemas/export.ts';
import { factsAnswerSchema } from '../schemas/facts.ts';
import { fitAnswerSchema } from '../schemas/fit.ts';
import { importAnswerSchema } from '../schemas/import.ts';
import { initAnswerSchema } from '../schemas/init.ts';
import {
  deleteAnswerSchema,
  itemAnswerSchema,
  itemChangeAnswerSchema,
  itemsAnswerSchema,
  saveAnswerSchema,
  tiersAnswerSchema,
} from '../schemas/items.ts';
import { keysAnswerSchema } from '../schemas/keys.ts';
import { mcpAnswerSchema } from '../schemas/mcp.ts';
import { migrateAnswerSchema } from '../schemas/migrate.ts';
import { outputsAnswerSchema } from '../schemas/outputs.ts';
import { postgresAnswerSchema } from '../schemas/postgres.ts';
import { purgeAnswerSchema } from '../schemas/purge.ts';
import { readAnswerSchema } from '../schemas/read.ts';
import { replayAnswerSchema } from '../schemas/replay.ts';
import { retentionAnswerSchema } from '../schemas/retention.ts';
import { searchAnswerSchema } from '../schemas/search.ts';
import { sessionsAnswerSchema } from '../schemas/sessions.ts';
import { showAnswerSchema } from '../schemas/show.ts';
import { statsAnswerSchema } from '../schemas/stats.ts';
import { statusAnswerSchema } from '../schemas/status.ts';
import { statuslineAnswerSchema } from '../schemas/statusline.ts';
import { tasksAnswerSchema } from '../schemas/tasks.ts';
import { topAnswerSchema } from '../schemas/top.ts';
import { upAnswerSchema } from '../schemas/up.ts';
import { verifyAnswerSchema } from '../schemas/verify.ts';
import { whyAnswerSchema } from '../schemas/why.ts';

/** What each command answers with `--json`. */
export const answerSchemas: Readonly<Record<string, z.ZodType>> = {
  archive: itemChangeAnswerSchema,
  'cache-lint': cacheLintAnswerSchema,
  checkpoints: checkpointsAnswerSchema,
  compact: compactAnswerSchema,
  completion: completionAnswerSchema,
  config: configAnswerSchema,
  conform: conformAnswerSchema,
  delete: deleteAnswerSchema,
  diff: diffAnswerSchema,
  doctor: doctorAnswerSchema,
  document: documentAnswerSchema,
  export: exportAnswerSchema,
  facts: factsAnswerSchema,
  finish: itemChangeAnswerSchema,
  fit: fitAnswerSchema,
  'flash-save': flashSaveAnswerSchema,
  forget: factsAnswerSchema,
  fork: forkAnswerSchema,
  import: importAnswerSchema,
  init: initAnswerSchema,
  item: itemAnswerSchema,
  items: itemsAnswerSchema,
  keys: keysAnswerSchema,
  mcp: mcpAnswerSchema,
  migrate: migrateAnswerSchema,
  outputs: outputsAnswerSchema,
  pin: itemChangeAnswerSchema,
  postgres: postgresAnswerSchema,
  purge: purgeAnswerSchema,
  read: readAnswerSchema,
  recall: factsAnswerSchema,
  remember: factsAnswerSchema,
  reopen: itemChangeAnswerSchema,
  replay: replayAnswerSchema,
  restore: restoreAnswerSchema,
  retention: retentionAnswerSchema,
  save: saveAnswerSchema,
  search: searchAnswerSchema,
  sessions: sessionsAnswerSchema,
  show: showAnswerSchema,
  stats: statsAnswerSchema,
  status: statusAnswerSchema,
  statusline: statuslineAnswerSchema,
  tasks: tasksAnswerSchema,
  tiers: tiersAnswerSchema,
  top: topAnswerSchema,
  touch: itemChangeAnswerSchema,
  unarchive: itemChangeAnswerSchema,
  unpin: itemChangeAnswerSchema,
  up: upAnswerSchema,
  verify: verifyAnswerSchema,
  why: whyAnswerSchema,
};

async function runSchema(context: CommandContext, name: string): Promise<void> {
  const schema = Object.hasOwn(answerSchemas, name) ? answerSchemas[name] : undefined;
  if (schema === undefined) {
    const names = Object.keys(answerSchemas).join(', ');
    throw new CtxError('CTX_NOT_FOUND', `there is no answer of ${name}; there are ${names}`);
  }
  await writeOut(context, `${JSON.stringify(z.toJSONSchema(schema), null, 2)}\n`);
}

/** `ctx schema` */
export function schemaCommand(context: CommandContext): Command {
  return makeCommand({
    name: 'schema',
    summary: 'Print the JSON schema of what a command answers with --json.',
    examples: ['ctx schema sessions'],
  })
    .argument('<command>', 'name of a command')
    .action((name: string) => runSchema(context, name));
}
