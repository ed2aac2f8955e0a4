export { cachedCounter } from './cached-counter.ts';
export { factorAfterRefusal, nextFactor } from './calibration.ts';
export { imageTokens } from './media/image-tokens.ts';
export { pdfTokens } from './media/pdf-tokens.ts';
export { countRequest, messageCounter } from './messages/count-messages.ts';
export type { ToolSchema } from './messages/count-tool-schema.ts';
export { findModel } from './models/find-model.ts';
export { tablesCheckedAt } from './tables-checked-at.ts';
export { countTokensInSlices, openTokenCounter, tokenCounterFor } from './token-counter.ts';
