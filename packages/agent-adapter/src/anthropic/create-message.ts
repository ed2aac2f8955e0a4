import type { ContextManager } from '../context-manager/context-manager.ts';
import type { PrepareReceipt } from '../context-manager/request/prepared.ts';
import { maxRefusals } from '../max-refusals.ts';
import type { CacheDiagnosis } from './cache-diagnosis.ts';
import type { AnswerShape, ParamsShape } from './host-types.ts';
import { observeAnswer } from './observe-answer.ts';
import { type PreparedParams, type PrepareParamsOptions, prepareParams } from './prepare-params.ts';
import type { AppliedEdit } from './server-edits.ts';

/** What was done for a request, and what the provider did. */
export interface RequestReceipt extends PrepareReceipt {
  /** What the provider took out of the request by itself. */
  readonly appliedEdits: readonly AppliedEdit[];
  /** Why the provider's cache missed, as it says, beside what was expected. */
  readonly cacheDiagnosis?: CacheDiagnosis;
  /** How often the provider refused the request as too long before it took it. */
  readonly refusals: number;
}

/** An answer, and what was done for it. */
export interface CreatedMessage<Answer> {
  readonly message: Answer;
  readonly receipt: RequestReceipt;
}

/** What `sendFitting` gives. */
export interface Sent<Result> {
  readonly result: Result;
  readonly receipt: PrepareReceipt;
  readonly refusals: number;
}

/** What is sent, and how. */
export interface Sending<Params extends ParamsShape, Result> {
  readonly manager: ContextManager;
  readonly params: Params;
  readonly send: (params: Params) => PromiseLike<Result>;
  readonly options?: PrepareParamsOptions | undefined;
}

/** Prepares and sends, and again with less as often as the provider says that it was too long. */
export async function sendFitting<Params extends ParamsShape, Result>({
  manager,
  params,
  send,
  options,
}: Sending<Params, Result>): Promise<Sent<Result>> {
  for (let refusals = 0; ; refusals += 1) {
    const prepared: PreparedParams<Params> = await prepareParams(manager, params, options);
    try {
      return { result: await send(prepared.params), receipt: prepared.receipt, refusals };
    } catch (error) {
      const isTooLong = (await manager.overflowed(error)) !== undefined;
      if (!isTooLong || refusals >= maxRefusals) throw error;
    }
  }
}

/**
 * Asks for a message with a request that fits: `createMessage(manager, params, (fitting) => client.messages.create(fitting))`.
 * Learns from the usage; a request that the provider refuses as too long is sent again with less, every other error is the caller's.
 */
export async function createMessage<Params extends ParamsShape, Answer extends AnswerShape>(
  manager: ContextManager,
  params: Params,
  send: (params: Params) => PromiseLike<Answer>,
): Promise<CreatedMessage<Answer>> {
  const { result, receipt, refusals } = await sendFitting({ manager, params, send });
  const { usage: _usage, ...observed } = await observeAnswer(manager, result);
  return { message: result, receipt: { ...receipt, ...observed, refusals } };
}
