import { countedText } from '@ctx/core/encoding';

/** Says how much was left aside; nothing where nothing was. */
export function asideLines(asideMessages: number): string[] {
  if (asideMessages === 0) return [];
  return [
    `Left aside: ${countedText(asideMessages, 'message')} of before the last recorded compaction or taken back, which the model did not see any more.`,
  ];
}
