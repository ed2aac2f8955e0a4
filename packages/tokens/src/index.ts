export { cachedCounter, type CachedCounterOptions } from './cached-counter.ts';
export {
  calibratedCounter,
  type Calibration,
  type CalibrationPolicy,
  createCalibration,
  defaultCalibrationPolicy,
} from './calibration.ts';
export {
  type CountedBlock,
  type CountedMessage,
  type CountedRequest,
  countMessage,
  countMessages,
  type CountOptions,
  countRequest,
  type RequestCount,
} from './count-messages.ts';
export { countToolSchema, type ToolSchema, type ToolSchemaOptions } from './count-tool-schema.ts';
export { encodingOfModel } from './encoding-of-model.ts';
export { findModel } from './find-model.ts';
export { type Framing, framingCheckedAt, framingOf } from './framing.ts';
export { imageRulesCheckedAt } from './image-rules.ts';
export { type ImageSize, imageSize } from './image-size.ts';
export { assumedImageSize, type ImageTokenOptions, imageTokens } from './image-tokens.ts';
export type { EncodingName } from './load-encoding.ts';
export { type ModelInfo, modelsByPrefix, modelsCheckedAt, type Provider } from './models.ts';
export { pdfPages } from './pdf-pages.ts';
export { type PdfTokenOptions, pdfTokens } from './pdf-tokens.ts';
export { tiktokenCounter, type TokenCounter } from './tiktoken-counter.ts';
export { fits, room, type TokenBudget } from './token-budget.ts';
export {
  countTokensInSlices,
  openTokenCounter,
  type SliceOptions,
  tokenCounterFor,
  type TokenCounterOptions,
} from './token-counter.ts';
