export {
  createMessage,
  type CreatedMessage,
  type RequestReceipt,
} from './create-message.ts';
export { drive, type RunnerParams, type RunnerShape } from './drive.ts';
export type { AnswerShape, MessageShape, ParamsShape, UsageShape } from './host-types.ts';
export { observeAnswer, type ObservedAnswer } from './observe-answer.ts';
export { type PreparedParams, prepareParams, type PrepareParamsOptions } from './prepare-params.ts';
export type { AppliedEdit } from './server-edits.ts';
export { streamMessage, type StreamEventShape } from './stream-message.ts';
export { wrapTools } from './wrap-tools.ts';
