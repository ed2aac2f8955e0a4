import type { ContextItem, Trust } from '@ctx/core';
import { CtxError } from '@ctx/core';
import { fingerprint, fingerprintText } from '@ctx/core/encoding';
import { trusts } from '../../sessions/session-extras.ts';
import type { StoreHost } from '../../store-host.ts';
import { unknownSource } from '../item-record.ts';
import { utf8Length } from '../utf8-length.ts';

/** What a caller saves. Nothing in `content` can set any other member. */
export interface ItemInput {
  readonly agentId: string;
  /** TASK, CODE, ERROR, TEST_RESULT, PRD_SECTION or any other text of 1 to {@link maxKindCharacters} characters. */
  readonly kind: string;
  /** At least one character, at most {@link maxItemBytes}. */
  readonly content: string;
  /** The item of this id is replaced if there is one. Default: a new id. */
  readonly id?: string;
  /**
   * An item of the same kind and content that was saved so is refreshed instead of stored twice. Not together with `id`.
   * Default false.
   */
  readonly once?: boolean;
  /**
   * How important it is right now, 0…1: its own weight in place of its kind's, so that it fades and grows with reads like any other.
   * 0 counts as {@link leastWeight}. Default: the weight of the kind.
   */
  readonly importance?: number;
  /** Default: as it is, false for a new item. */
  readonly pinned?: boolean;
  /** Who said it: `user`, `developer`, `assistant`, or the name of a tool or file. Default `unknown`. */
  readonly source?: string;
  /** Default: that of the source. Can only be lower than that. */
  readonly trust?: Trust;
  /** The session in which it is saved. */
  readonly sessionId?: string;
}

/** Longest content of an item, UTF-8 bytes: 1 MiB. What is longer belongs into the outputs. */
export const maxItemBytes: number = 1_048_576;

/** Longest kind, characters. */
export const maxKindCharacters: number = 64;

/** The weight of what was given the importance 0, whose logarithm no rank can hold. */
export const leastWeight: number = 0.001;

/** An input that was checked, redacted and measured. */
export interface ItemDraft
  extends Pick<ContextItem, 'agentId' | 'kind' | 'content' | 'fingerprint' | 'tokens'> {
  readonly source: string;
  readonly trust: Trust;
  readonly weight?: number;
  readonly pinned?: boolean;
  readonly sessionId?: string;
  /** Where it goes: an id that the caller gave, one that its content gives, or none yet. */
  readonly place: { readonly id: string; readonly isByContent: boolean } | undefined;
}

function invalid(message: string): CtxError {
  return new CtxError('CTX_INVALID_INPUT', message);
}

/** Throws `CTX_INVALID_INPUT` unless `value` is a text of at least one character. */
export function checkName(value: unknown, name: string): void {
  if (typeof value !== 'string' || value === '') throw invalid(`${name} must be a text, not empty`);
}

function checkTexts({ agentId, kind, content, id, source, sessionId }: ItemInput): void {
  checkName(agentId, 'agentId');
  checkName(kind, 'kind');
  checkName(content, 'content');
  if (kind.length > maxKindCharacters) {
    throw invalid(`kind may have ${String(maxKindCharacters)} characters at most`);
  }
  for (const [name, value] of Object.entries({ id, source, sessionId })) {
    if (value !== undefined) checkName(value, name);
  }
}

function checkChoices({ id, once, importance, pinned }: ItemInput): void {
  if (once === true && id !== undefined) throw invalid('give id or once, not both');
  const isShare = typeof importance === 'number' && importance >= 0 && importance <= 1;
  if (importance !== undefined && !isShare) throw invalid('importance must be a number in 0…1');
  if (pinned !== undefined && typeof pinned !== 'boolean')
    throw invalid('pinned must be a boolean');
}

function checkSize(content: string): void {
  if (content.length <= maxItemBytes / 3 || utf8Length(content) <= maxItemBytes) return;
  const limit = String(maxItemBytes);
  throw new CtxError(
    'CTX_TOO_LARGE',
    `an item may have ${limit} bytes at most; save it as an output`,
  );
}

const idCharacters = 32;

function placeOf({ id, once, kind }: ItemInput, contentPrint: string): ItemDraft['place'] {
  if (id !== undefined) return { id, isByContent: false };
  if (once !== true) return undefined;
  const name = fingerprintText(JSON.stringify([kind, contentPrint]));
  return { id: name.slice(0, idCharacters), isByContent: true };
}

/**
 * Checks, redacts and measures what is to be saved. Takes time linear in the content.
 * @throws `CTX_INVALID_INPUT`, `CTX_TOO_LARGE`.
 */
export function draftItem(
  { redactor, countTokens }: Pick<StoreHost, 'redactor' | 'countTokens'>,
  input: ItemInput,
): ItemDraft {
  checkTexts(input);
  checkChoices(input);
  checkSize(input.content);
  const { agentId, kind, importance, pinned, source = unknownSource, trust, sessionId } = input;
  const content = redactor.redact(input.content).value;
  const print = fingerprint(content);
  const deserved = trusts.ofSource(source);
  return {
    agentId,
    kind,
    content,
    fingerprint: print,
    tokens: countTokens(content),
    source,
    trust: trusts.least([deserved, trust ?? deserved]),
    ...(importance === undefined ? {} : { weight: Math.max(importance, leastWeight) }),
    ...(pinned === undefined ? {} : { pinned }),
    ...(sessionId === undefined ? {} : { sessionId }),
    place: placeOf(input, print),
  };
}
