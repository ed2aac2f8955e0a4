import { InvalidArgumentError } from 'commander';

/** Reads a share from 0 to 1. Throws commander's error. */
export function shareOf(text: string): number {
  const share = Number(text);
  if (text.trim() !== '' && share >= 0 && share <= 1) return share;
  throw new InvalidArgumentError('It must be a number from 0 to 1.');
}
