import type { EncodingName } from '../encoding/load-encoding.ts';
import { findModel } from './find-model.ts';

/**
 * The encoding to count a model's tokens with; o200k_base where the model is not known or its tokenizer not public.
 * `findModel(model)?.isExact` tells whether it is the model's own; where it is not, calibrate with reported usage.
 */
export function encodingOfModel(model?: string): EncodingName {
  const info = model === undefined ? undefined : findModel(model);
  return info?.encoding ?? 'o200k_base';
}
