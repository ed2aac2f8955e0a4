import { type ContentBlock, CtxError, type Message } from '@ctx/core';
import { previewOf } from '@ctx/store';
import { type FitMessagesOptions, fixedTotal } from './fit-options.ts';

/** Sizes to which the task and the newest words of the user are cut, characters; the largest that fits counts. */
const sizes = [32_000, 16_000, 8000, 4000, 2000, 1000, 500, 250, 120, 60];

/** A conversation of which only a notice is left, with the beginnings of what the user said first and last. */
export interface LastResort {
  readonly message: Message;
  /** Place of the message that it begins with. */
  readonly place: number;
}

interface TextPlace {
  readonly place: number;
  readonly block: ContentBlock & { readonly type: 'text' };
}

function textsOf(messages: readonly Message[]): TextPlace[] {
  return messages.flatMap(({ role, content }, place) =>
    role === 'user'
      ? content.flatMap((block) => (block.type === 'text' ? [{ place, block }] : []))
      : [],
  );
}

function cut({ block }: TextPlace, maxCharacters: number): ContentBlock {
  const text = previewOf(block.text, { maxCharacters });
  return text === block.text ? block : { type: 'text', text };
}

/** Names what cannot shrink. */
function tooSmall(options: FitMessagesOptions, least: number): CtxError {
  const parts = Object.entries(options.fixedTokens ?? {})
    .filter(([, tokens]) => tokens > 0)
    .sort(([, left], [, right]) => right - left)
    .map(([name, tokens]) => `${name} ${String(tokens)}`);
  const notice = least - fixedTotal(options);
  const named = [...parts, `notice of what left ${String(notice)}`].join(', ');
  return new CtxError(
    'CTX_WINDOW_OVERFLOW',
    `the budget is ${String(options.budgetTokens)} tokens, but what cannot shrink takes ${String(least)} (${named}); the least budget that works is ${String(least)}`,
  );
}

/**
 * Leaves one message: what the user said first and last, as much as there is room for, and where all else is kept.
 * @throws `CTX_WINDOW_OVERFLOW` naming the parts and the least budget, where not even the notice fits.
 */
export function lastResort(
  messages: readonly Message[],
  options: FitMessagesOptions,
  address: string,
): LastResort {
  const notice: ContentBlock = {
    type: 'text',
    text: `[ctx: ${String(messages.length)} messages left the view; they are kept at ${address}]`,
  };
  const texts = textsOf(messages);
  const task = texts.slice(0, 1);
  const newest = texts.slice(1).slice(-1);
  const made = (size: number): Message => {
    const content = [
      ...task.map((text) => cut(text, size)),
      notice,
      ...newest.map((text) => cut(text, size)),
    ];
    return { role: 'user', content };
  };
  const place = task[0]?.place ?? 0;
  const fixed = fixedTotal(options);
  for (const size of sizes) {
    const message = made(size);
    if (fixed + options.tokensOf(message) <= options.budgetTokens) return { message, place };
  }
  const message: Message = { role: 'user', content: [notice] };
  const least = fixed + options.tokensOf(message);
  if (least > options.budgetTokens) throw tooSmall(options, least);
  return { message, place };
}
