import type { ContentBlock } from '@ctx/core';
import { previewOf } from '@ctx/store';
import { plainText } from '../log/plain-text.ts';
import type { WindowSegment } from '../log/segment.ts';
import { type Fitting, largest, newestUnit, shownBlock, shrink } from './hard-fitting.ts';

/** Sizes to which long texts are shortened at last, characters. */
const lastSizes = [8000, 1500, 300];

/** Size to which previews are shortened, characters. */
const previewCharacters = 600;

function shortText(text: string, pointer: string, maxCharacters: number): string {
  return `${previewOf(text, { maxCharacters })}\n[ctx: shortened; whole at ${pointer}]`;
}

/** Puts a shorter text in the place of results of the newest unit, largest first, until the request fits. */
export function shrinkResults(
  fit: Fitting,
  make: (text: string, segment: WindowSegment) => string,
): void {
  for (const index of largest(fit, newestUnit(fit))) {
    if (fit.tokens <= fit.input.limitTokens) return;
    const block = shownBlock(fit, index);
    const segment = fit.input.log.segments[index];
    if (block?.type !== 'tool_result' || segment === undefined) continue;
    const text = make(plainText(block.content) ?? '', segment);
    // An image, or nothing at all: there is no text to take the place of.
    if (text === '') continue;
    shrink(fit, index, { ...block, content: [{ type: 'text', text }] });
  }
}

function shortenPreview(fit: Fitting, index: number): void {
  const block = shownBlock(fit, index);
  const segment = fit.input.log.segments[index];
  if (block?.type !== 'tool_result' || segment?.form !== 'preview') return;
  const preview = plainText(block.content) ?? '';
  if (preview.length <= previewCharacters) return;
  const text = shortText(preview, segment.pointer, previewCharacters);
  shrink(fit, index, { ...block, content: [{ type: 'text', text }] });
}

/** Shortens the previews that are still shown, oldest first. */
export function shortenPreviews(fit: Fitting, lowMark: number): void {
  const { segments, messages, cut } = fit.input.log;
  const first = messages[cut === undefined ? 0 : cut.to + 1]?.first ?? 0;
  for (let index = first; index < segments.length && fit.tokens > lowMark; index += 1) {
    shortenPreview(fit, index);
  }
}

/** What has to stay of a text: the line above a part holds the address of the input. */
function lineToKeep({ block, edit }: WindowSegment): string {
  const isPart = edit?.form === 'part' && block?.type === 'text';
  return isPart ? block.text.slice(0, block.text.indexOf('\n') + 1) : '';
}

function shortened(segment: WindowSegment, size: number): ContentBlock | undefined {
  const { block, pointer } = segment;
  if (block?.type === 'text') {
    const kept = lineToKeep(segment);
    const rest = block.text.slice(kept.length);
    return { type: 'text', text: kept + shortText(rest, pointer, size) };
  }
  if (block?.type === 'tool_use')
    return { ...block, input: { ctx: `the input is kept at ${pointer}` } };
  if (block?.type !== 'opaque' || size > 300) return undefined;
  return { type: 'text', text: `[ctx: ${block.format} is kept at ${pointer}]` };
}

function shortenTo(fit: Fitting, index: number, size: number): void {
  const segment = fit.input.log.segments[index];
  if (segment?.block === undefined || shownBlock(fit, index) === undefined) return;
  const block = shortened(segment, size);
  if (block !== undefined) shrink(fit, index, block);
}

/** Shortens the newest message and the task, largest first, further each time. */
export function shrinkTexts(fit: Fitting): void {
  for (const size of lastSizes) {
    for (const index of largest(fit, 0)) {
      if (fit.tokens <= fit.input.limitTokens) return;
      shortenTo(fit, index, size);
    }
  }
}
