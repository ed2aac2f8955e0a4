export { cachedCounter, type CachedCounterOptions } from './cached-counter.ts';
export {
  calibratedCounter,
  type Calibration,
  type CalibrationPolicy,
  type CountReport,
  createCalibration,
  defaultCalibrationPolicy,
  factorAfterRefusal,
  nextFactor,
  type RefusedCount,
} from './calibration.ts';
export {
  type CountedRequest,
  countMessage,
  countMessages,
  type CountOptions,
  countRequest,
  messageCounter,
  type RequestCount,
} from './messages/count-messages.ts';
export {
  countToolSchema,
  type ToolSchema,
  type ToolSchemaOptions,
} from './messages/count-tool-schema.ts';
export { encodingOfModel } from './models/encoding-of-model.ts';
export { findModel } from './models/find-model.ts';
export { type Framing, framingCheckedAt, framingOf } from './models/framing.ts';
export { imageRulesCheckedAt } from './media/image-rules.ts';
export { type ImageSize, imageSize } from './media/image-size.ts';
export { assumedImageSize, type ImageTokenOptions, imageTokens } from './media/image-tokens.ts';
export type { EncodingName } from './encoding/load-encoding.ts';
export { type ModelInfo, modelsByPrefix, modelsCheckedAt, type Provider } from './models/models.ts';
export { pdfPages } from './media/pdf-pages.ts';
export { type PdfTokenOptions, pdfTokens } from './media/pdf-tokens.ts';
export { tiktokenCounter, type TokenCounter } from './encoding/tiktoken-counter.ts';
export { fits, room, type TokenBudget } from './token-budget.ts';
export {
  countTokensInSlices,
  openTokenCounter,
  type SliceOptions,
  tokenCounterFor,
  type TokenCounterOptions,
} from './token-counter.ts';
