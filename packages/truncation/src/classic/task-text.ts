import { checkMessages, type Message, type TokenCounter } from '@ctx/core';
import { previewOf } from '@ctx/store';
import { approximateTokens } from '@ctx/tokens/approximate';

/** How long the user's task may be before it is offloaded. */
export interface TaskTextPolicy {
  /** Tokens of text that the first user message may hold. Default 20,000. */
  readonly capTokens: number;
  /** Characters of the preview that stays of each offloaded text. Default 4,000. */
  readonly previewCharacters: number;
}

export const defaultTaskTextPolicy: TaskTextPolicy = { capTokens: 20_000, previewCharacters: 4000 };

export interface TaskOptions extends Partial<TaskTextPolicy> {
  /** Default: `approximateTokens` of core. */
  readonly countTokens?: TokenCounter;
}

/** One text of the task that has to be stored before its preview may take its place. */
export interface TaskOffload {
  readonly messageIndex: number;
  readonly blockIndex: number;
  /** The whole text, to be stored. */
  readonly text: string;
  /** What stands for it, without the pointer. */
  readonly preview: string;
}

/**
 * Decides what of the task is too long: nothing while the first user message is within the cap, else its longest texts until
 * it is.
 * Pure; a text within the cap stays verbatim. Counts the first user message once.
 */
export function planTaskOffload(
  messages: readonly Message[],
  options: TaskOptions = {},
): readonly TaskOffload[] {
  const { capTokens, previewCharacters } = { ...defaultTaskTextPolicy, ...options };
  const { countTokens = approximateTokens } = options;
  const messageIndex = messages.findIndex(({ role }) => role === 'user');
  const texts = (messages[messageIndex]?.content ?? []).flatMap((block, blockIndex) =>
    block.type === 'text'
      ? [{ blockIndex, text: block.text, tokens: countTokens(block.text) }]
      : [],
  );
  let tokens = texts.reduce((sum, text) => sum + text.tokens, 0);
  const offloads: TaskOffload[] = [];
  for (const { blockIndex, text, tokens: size } of texts.sort((a, b) => b.tokens - a.tokens)) {
    if (tokens <= capTokens) break;
    const preview = previewOf(text, { maxCharacters: previewCharacters });
    if (preview === text) break;
    offloads.push({ messageIndex, blockIndex, text, preview });
    tokens -= size - countTokens(preview);
  }
  return offloads.sort((a, b) => a.blockIndex - b.blockIndex);
}

/**
 * Puts previews in the place of the texts; `pointerOf` gives the line that says where each is stored whole.
 * Pure; without offloads the list comes back as it is.
 */
export function applyTaskOffload(
  messages: readonly Message[],
  offloads: readonly TaskOffload[],
  pointerOf: (offload: TaskOffload) => string,
): readonly Message[] {
  return offloads.reduce<readonly Message[]>((list, offload) => {
    const message = list[offload.messageIndex];
    const block = message?.content[offload.blockIndex];
    if (message === undefined || block?.type !== 'text' || block.text !== offload.text) return list;
    const text = `${offload.preview}\n${pointerOf(offload)}`;
    const content = message.content.with(offload.blockIndex, { ...block, text });
    return list.with(offload.messageIndex, { ...message, content });
  }, messages);
}

/**
 * Puts a preview and a pointer in the place of the task's longest texts, until it is within its cap. `keep` stores a whole text
 * and returns the line that says where. Changes nothing that is given; without anything to do the list comes back as it is.
 */
export async function offloadTask(
  messages: readonly Message[],
  keep: (text: string) => string | Promise<string>,
  options: TaskOptions = {},
): Promise<readonly Message[]> {
  checkMessages(messages);
  const pointers = new Map<TaskOffload, string>();
  for (const offload of planTaskOffload(messages, options)) {
    pointers.set(offload, await keep(offload.text));
  }
  return applyTaskOffload(messages, [...pointers.keys()], (one) => pointers.get(one) ?? '');
}
