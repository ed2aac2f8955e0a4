import type { pages } from '@ctx/replay';
import { blockText, blockType } from './block-text.ts';
import { inputTokensOf, type RecordedRequest } from './recorded-requests.ts';
import type { Moment, ShownSegment } from './request-moment.ts';

type SharedSession = Parameters<typeof pages.session>[0];
type SharedPiece = SharedSession['pieces'][number];
type SharedRequest = SharedSession['requests'][number];

/** What is shared, beside its window. */
export interface SharedParts {
  readonly moment: Moment;
  readonly requests: readonly RecordedRequest[];
}

function pieceOf(segment: ShownSegment, given: ShownSegment['block']): SharedPiece {
  const { block, kind, toolName, message, why, pointer, givenTokens, tokens } = segment;
  const whole = given ?? block;
  const shown = block === undefined ? '' : blockText(block);
  const text = whole === undefined ? '' : blockText(whole);
  const what = whole === undefined ? undefined : blockType(whole);
  return {
    ...{ message, kind, text, why, pointer, tokensBefore: givenTokens, tokensAfter: tokens },
    ...(toolName === undefined ? {} : { toolName }),
    ...(what === undefined ? {} : { what }),
    ...(shown === text ? {} : { instead: shown }),
  };
}

function requestOf(request: RecordedRequest): SharedRequest {
  const { number, limitTokens, predictedTokens, reported, flush, compaction } = request;
  const cause = flush?.cause ?? request.cause;
  return {
    ...{ number, tokens: inputTokensOf(request), limitTokens },
    cachedTokens: reported?.cachedTokens ?? predictedTokens,
    ...(compaction === undefined ? {} : { event: 'compaction' as const }),
    ...(flush === undefined ? {} : { event: 'flush' as const }),
    ...(cause === undefined ? {} : { cause }),
  };
}

/** The parts of a session that a page of its own shows. */
export async function sharedParts({
  moment: { view, blocks },
  requests,
}: SharedParts): Promise<Pick<SharedSession, 'pieces' | 'requests' | 'windowTokens'>> {
  const given = await blocks();
  return {
    windowTokens: view.windowTokens,
    pieces: view.segments.map((segment, index) => pieceOf(segment, given[index])),
    requests: requests.map(requestOf),
  };
}
