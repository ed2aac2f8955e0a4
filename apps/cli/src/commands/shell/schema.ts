import { statuslineSchema } from '@ctx/claude-code';
import { CtxError } from '@ctx/core';
import type { Command } from 'commander';
import { z } from 'zod';
import type { CommandContext } from '../../command-context.ts';
import { makeCommand } from '../../make-command.ts';
import * as ofCheckpoint from '../../schemas/checkpoint.ts';
import * as ofItem from '../../schemas/item.ts';
import * as ofMeasure from '../../schemas/measure.ts';
import * as ofOutput from '../../schemas/output.ts';
import * as ofServer from '../../schemas/server.ts';
import * as ofSession from '../../schemas/session.ts';
import * as ofStore from '../../schemas/store.ts';
import * as ofWindow from '../../schemas/window.ts';

const ofMemory =
  'correct embed export-facts fact facts forget history memory observe recall remember'.split(' ');
const ofItemChanges = 'archive finish pin reopen touch unarchive unpin'.split(' ');

/** What each command answers with `--json`. */
export const answerSchemas: Readonly<Record<string, z.ZodType>> = {
  ...Object.fromEntries(ofMemory.map((name) => [name, ofItem.factsAnswerSchema])),
  ...Object.fromEntries(ofItemChanges.map((name) => [name, ofItem.itemChangeAnswerSchema])),
  'cache-lint': ofMeasure.cacheLintAnswerSchema,
  checkpoints: ofCheckpoint.checkpointsAnswerSchema,
  compact: ofWindow.compactAnswerSchema,
  completion: ofServer.completionAnswerSchema,
  compress: ofMeasure.compressAnswerSchema,
  config: ofStore.configAnswerSchema,
  conform: ofStore.conformAnswerSchema,
  delete: ofItem.deleteAnswerSchema,
  diff: ofCheckpoint.diffAnswerSchema,
  doctor: ofStore.doctorAnswerSchema,
  document: ofSession.documentAnswerSchema,
  export: ofSession.exportAnswerSchema,
  share: ofSession.exportAnswerSchema,
  fit: ofMeasure.fitAnswerSchema,
  'flash-save': ofCheckpoint.flashSaveAnswerSchema,
  fork: ofCheckpoint.forkAnswerSchema,
  import: ofSession.importAnswerSchema,
  init: ofServer.initAnswerSchema,
  item: ofItem.itemAnswerSchema,
  items: ofItem.itemsAnswerSchema,
  keys: ofServer.keysAnswerSchema,
  mcp: ofServer.mcpAnswerSchema,
  migrate: ofStore.migrateAnswerSchema,
  outputs: ofOutput.outputsAnswerSchema,
  postgres: ofStore.postgresAnswerSchema,
  proxy: ofServer.proxyAnswerSchema,
  purge: ofStore.purgeAnswerSchema,
  read: ofOutput.readAnswerSchema,
  replay: ofMeasure.replayAnswerSchema,
  restore: ofCheckpoint.restoreAnswerSchema,
  retention: ofStore.retentionAnswerSchema,
  run: ofServer.runAnswerSchema,
  save: ofItem.saveAnswerSchema,
  search: ofOutput.searchAnswerSchema,
  sessions: ofSession.sessionsAnswerSchema,
  show: ofSession.showAnswerSchema,
  stats: ofSession.statsAnswerSchema,
  status: ofWindow.statusAnswerSchema,
  statusline: statuslineSchema,
  tasks: ofSession.tasksAnswerSchema,
  tiers: ofItem.tiersAnswerSchema,
  top: ofMeasure.topAnswerSchema,
  up: ofServer.upAnswerSchema,
  verify: ofStore.verifyAnswerSchema,
  why: ofWindow.whyAnswerSchema,
};

async function runSchema(context: CommandContext, name: string): Promise<void> {
  const schema = Object.hasOwn(answerSchemas, name) ? answerSchemas[name] : undefined;
  if (schema === undefined) {
    const names = Object.keys(answerSchemas).sort().join(', ');
    throw new CtxError('CTX_NOT_FOUND', `there is no answer of ${name}; there are ${names}`);
  }
  await context.print(`${JSON.stringify(z.toJSONSchema(schema), null, 2)}\n`);
}

export function command(context: CommandContext): Command {
  return makeCommand({
    name: 'schema',
    summary: 'Print the JSON schema of what a command answers with --json.',
    examples: ['ctx schema sessions'],
  })
    .argument('<command>', 'name of a command')
    .action((name: string) => runSchema(context, name));
}
