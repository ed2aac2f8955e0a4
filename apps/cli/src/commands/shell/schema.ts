import { statuslineSchema } from '@ctx/claude-code';
import { CtxError } from '@ctx/core';
import type { Command } from 'commander';
import { z } from 'zod';
import { type CommandContext, writeOut } from '../../command-context.ts';
import { makeCommand } from '../../make-command.ts';
import { proxyAnswerSchema, runAnswerSchema } from '../../schemas/agent/run.ts';
import {
  checkpointsAnswerSchema,
  flashSaveAnswerSchema,
  forkAnswerSchema,
  restoreAnswerSchema,
} from '../../schemas/checkpoint/checkpoints.ts';
import { diffAnswerSchema } from '../../schemas/checkpoint/diff.ts';
import { factsAnswerSchema } from '../../schemas/item/facts.ts';
import {
  deleteAnswerSchema,
  itemAnswerSchema,
  itemChangeAnswerSchema,
  itemsAnswerSchema,
  saveAnswerSchema,
  tiersAnswerSchema,
} from '../../schemas/item/items.ts';
import { outputsAnswerSchema } from '../../schemas/output/outputs.ts';
import { readAnswerSchema } from '../../schemas/output/read.ts';
import { searchAnswerSchema } from '../../schemas/output/search.ts';
import { initAnswerSchema } from '../../schemas/server/init.ts';
import { keysAnswerSchema } from '../../schemas/server/keys.ts';
import { mcpAnswerSchema } from '../../schemas/server/mcp.ts';
import { upAnswerSchema } from '../../schemas/server/up.ts';
import { documentAnswerSchema } from '../../schemas/session/document.ts';
import { exportAnswerSchema } from '../../schemas/session/export.ts';
import { importAnswerSchema } from '../../schemas/session/import.ts';
import { sessionsAnswerSchema } from '../../schemas/session/sessions.ts';
import { showAnswerSchema } from '../../schemas/session/show.ts';
import { statsAnswerSchema } from '../../schemas/session/stats.ts';
import { tasksAnswerSchema } from '../../schemas/session/tasks.ts';
import { completionAnswerSchema } from '../../schemas/shell/completion.ts';
import { configAnswerSchema } from '../../schemas/store/config.ts';
import { conformAnswerSchema } from '../../schemas/store/conform.ts';
import { doctorAnswerSchema } from '../../schemas/store/doctor.ts';
import { migrateAnswerSchema } from '../../schemas/store/migrate.ts';
import { postgresAnswerSchema } from '../../schemas/store/postgres.ts';
import { purgeAnswerSchema } from '../../schemas/store/purge.ts';
import { retentionAnswerSchema } from '../../schemas/store/retention.ts';
import { verifyAnswerSchema } from '../../schemas/store/verify.ts';
import { cacheLintAnswerSchema } from '../../schemas/window/cache-lint.ts';
import { compactAnswerSchema } from '../../schemas/window/compact.ts';
import { compressAnswerSchema } from '../../schemas/window/compress.ts';
import { fitAnswerSchema } from '../../schemas/window/fit.ts';
import { replayAnswerSchema } from '../../schemas/window/replay.ts';
import { statusAnswerSchema } from '../../schemas/window/status.ts';
import { topAnswerSchema } from '../../schemas/window/top.ts';
import { whyAnswerSchema } from '../../schemas/window/why.ts';

/** What each command answers with `--json`. */
export const answerSchemas: Readonly<Record<string, z.ZodType>> = {
  archive: itemChangeAnswerSchema,
  'cache-lint': cacheLintAnswerSchema,
  checkpoints: checkpointsAnswerSchema,
  compact: compactAnswerSchema,
  completion: completionAnswerSchema,
  compress: compressAnswerSchema,
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
  proxy: proxyAnswerSchema,
  purge: purgeAnswerSchema,
  read: readAnswerSchema,
  recall: factsAnswerSchema,
  remember: factsAnswerSchema,
  reopen: itemChangeAnswerSchema,
  replay: replayAnswerSchema,
  restore: restoreAnswerSchema,
  retention: retentionAnswerSchema,
  run: runAnswerSchema,
  save: saveAnswerSchema,
  search: searchAnswerSchema,
  sessions: sessionsAnswerSchema,
  show: showAnswerSchema,
  stats: statsAnswerSchema,
  status: statusAnswerSchema,
  statusline: statuslineSchema,
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
