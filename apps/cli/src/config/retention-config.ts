import { CtxError } from '@ctx/core';
import { z } from 'zod';

/** What may stay in a store, as a config file says it. What is left out has no limit. */
export interface RetentionConfig {
  /** Tool outputs and unnamed checkpoints that are older leave: `12h`, `90d`, `8w`. */
  readonly maxAge?: string;
  /** The oldest outputs leave until all together have at most so many bytes: `500MB`, `2GB`. */
  readonly maxBytes?: string;
  /** Most checkpoints of an agent that have no label. */
  readonly checkpoints?: number;
}

const ageUnits: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

const byteUnits: Readonly<Record<string, number>> = {
  B: 1,
  KB: 1024,
  MB: 1024 ** 2,
  GB: 1024 ** 3,
  TB: 1024 ** 4,
};

function measured(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const found = /^([0-9]{1,9})([A-Za-z]{1,2})$/.exec(text);
  const unit = found?.[2] ?? '';
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined;
  return factor === undefined ? undefined : Number(found?.[1]) * factor;
}

const ageHint = 'must be an age such as 12h, 90d or 8w';
const bytesHint = 'must be a size such as 500MB or 2GB';

/** Reads an age, ms; throws `CTX_INVALID_INPUT`. */
export function ageOf(text: string): number {
  const age = measured(text, ageUnits);
  if (age !== undefined) return age;
  throw new CtxError('CTX_INVALID_OPTION', `'${text.slice(0, 40)}' ${ageHint}`);
}

/** Reads a size, bytes (1 KB is 1,024 of them); throws `CTX_INVALID_INPUT`. */
export function sizeOf(text: string): number {
  const size = measured(text, byteUnits);
  if (size !== undefined) return size;
  throw new CtxError('CTX_INVALID_OPTION', `'${text.slice(0, 40)}' ${bytesHint}`);
}

export const retentionConfigSchema: z.ZodType<RetentionConfig> = z.strictObject({
  maxAge: z
    .string()
    .refine((text) => measured(text, ageUnits) !== undefined, ageHint)
    .exactOptional(),
  maxBytes: z
    .string()
    .refine((text) => measured(text, byteUnits) !== undefined, bytesHint)
    .exactOptional(),
  checkpoints: z.int().min(1).exactOptional(),
});
