import { normaliseText } from '../window/insert/normalise.ts';
import type { CompressDraft, CompressInput, Compressor } from './compressor.ts';

function compressTerminal({ text, limits }: CompressInput): CompressDraft | undefined {
  const body = normaliseText(text);
  if (body.length > limits.most) return undefined;
  return { body, left: ['what a terminal does not show either, and repeated lines'] };
}

/** Output for a terminal: colours and overwritten progress bars go, runs of equal lines are counted. Nothing else is missing. */
export const terminalOutput: Compressor = {
  kind: 'terminal output',
  matches: ({ text }) => normaliseText(text).length * 10 <= text.length * 7,
  compress: compressTerminal,
};
