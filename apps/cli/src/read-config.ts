import { readConfigFile } from '@ctx/agent-adapter/store';
import { CtxError } from '@ctx/core';
import { z } from 'zod';
import { type RetentionConfig, retentionConfigSchema } from './config/retention-config.ts';

/** What a config file may say. It is data: nothing in it is executed. */
export interface CtxConfig {
  /** URL of the store. */
  readonly store?: string;
  /** What `ctx retention run` lets go. */
  readonly retention?: RetentionConfig;
}

const configSchema: z.ZodType<CtxConfig> = z.strictObject({
  store: z.string().exactOptional(),
  retention: retentionConfigSchema.exactOptional(),
});

/** Reads a config file; `undefined` where there is none; throws `CTX_INVALID_INPUT` naming file and field. */
export async function readConfig(path: string): Promise<CtxConfig | undefined> {
  const file = await readConfigFile(path);
  return file === undefined ? undefined : checkConfig(file.said, `${path} is no ctx config`);
}

/** Throws `CTX_INVALID_INPUT` that begins with `complaint` and names the field. */
export function checkConfig(said: unknown, complaint: string): CtxConfig {
  const checked = configSchema.safeParse(said);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const what = `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim();
  throw new CtxError('CTX_INVALID_FILE', `${complaint}: ${what}`);
}
