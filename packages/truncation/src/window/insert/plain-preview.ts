import { previewOf } from '@ctx/store';
import type { PreviewText } from './plan-insert.ts';

/** Characters of a token in a preview, about. */
const charactersPerToken = 4;

/** Beginning and end of a large result, its size, and where the whole is. */
export const plainPreview: PreviewText = ({ text, pointer, tokens, previewTokens }) => {
  const shown = previewOf(text, { maxCharacters: previewTokens * charactersPerToken });
  const head = `[ctx: the whole result (${String(tokens)} tokens) is kept at ${pointer}; this is a preview]`;
  return `${head}\n${shown}\n[ctx: read more with ctx_read_output {"pointer":"${pointer}"}]`;
};
