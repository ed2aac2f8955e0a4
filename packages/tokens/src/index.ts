export { cachedCounter } from './cached-counter.ts';
export {
  type Calibration,
  calibratedCounter,
  createCalibration,
  factorAfterRefusal,
  nextFactor,
} from './calibration.ts';
export type { TokenCounter } from './encoding/tiktoken-counter.ts';
export { imageRulesCheckedAt } from './media/image-rules.ts';
export { imageSize } from './media/image-size.ts';
export { imageTokens } from './media/image-tokens.ts';
export { pdfPages } from './media/pdf-pages.ts';
export { pdfTokens } from './media/pdf-tokens.ts';
export {
  countMessage,
  countMessages,
  countRequest,
  messageCounter,
} from './messages/count-messages.ts';
export { countToolSchema, type ToolSchema } from './messages/count-tool-schema.ts';
export { findModel } from './models/find-model.ts';
export { framingCheckedAt, framingOf } from './models/framing.ts';
export { modelsCheckedAt } from './models/models.ts';
export { fits } from './token-budget.ts';
export { countTokensInSlices, openTokenCounter, tokenCounterFor } from './token-counter.ts';
