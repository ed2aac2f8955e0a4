import * as z from 'zod';
import { runTool } from '../../read-back/run-tool.ts';
import {
  factsText,
  type MemoryHost,
  recallFacts,
  recallSchema,
  rememberedText,
  rememberFact,
  rememberSchema,
} from './memory-tools.ts';

/** `ctx_remember` */
export function runRemember(host: MemoryHost, args: unknown): Promise<string> {
  return runTool(rememberSchema, args, async (checked) =>
    rememberedText(await rememberFact(host, checked)),
  );
}

/** `ctx_recall` */
export function runRecall(host: MemoryHost, args: unknown): Promise<string> {
  return runTool(recallSchema, args, async (checked) =>
    factsText(await recallFacts(host, checked)),
  );
}

/** `ctx_status` */
export function runStatus(status: () => Promise<string>, args: unknown): Promise<string> {
  return runTool(z.strictObject({}), args, status);
}
