import * as z from 'zod';
import { runTool } from '../../read-back/run-tool.ts';
import {
  type MemoryHost,
  recallFactsText,
  recallSchema,
  rememberFact,
  rememberSchema,
} from './memory-tools.ts';

/** `ctx_remember` */
export function runRemember(host: MemoryHost, args: unknown): Promise<string> {
  return runTool(rememberSchema, args, (checked) => rememberFact(host, checked));
}

/** `ctx_recall` */
export function runRecall(host: MemoryHost, args: unknown): Promise<string> {
  return runTool(recallSchema, args, (checked) => recallFactsText(host, checked));
}

/** `ctx_status` */
export function runStatus(status: () => Promise<string>, args: unknown): Promise<string> {
  return runTool(z.strictObject({}), args, status);
}
