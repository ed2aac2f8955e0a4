import { imageRulesCheckedAt } from './media/image-rules.ts';
import { framingCheckedAt } from './models/framing.ts';
import { modelsCheckedAt } from './models/models.ts';

/** When each table was last compared with what its providers publish. */
export const tablesCheckedAt = {
  models: modelsCheckedAt,
  images: imageRulesCheckedAt,
  framing: framingCheckedAt,
} as const;
