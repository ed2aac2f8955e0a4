import { previewOf } from '@ctx/store';
import type { PreviewText } from './plan-insert.ts';

/** Beginning and end of a large result, its size, and where the whole is read with the tools of ctx. */
export const plainPreview: PreviewText = ({ text, pointer, tokens, previewTokens }) => {
  const shown = previewOf(text, { maxTokens: previewTokens });
  const head = `[ctx: the whole result (${String(tokens)} tokens) is kept at ${pointer}; this is a preview]`;
  return `${head}\n${shown}\n[ctx: read more with ctx_read_output {"pointer":"${pointer}"}]`;
};

/** Beginning and end of a large result and its address: for readers without the tools of ctx. */
export const addressPreview: PreviewText = ({ text, pointer, tokens, previewTokens }) =>
  `${previewOf(text, { maxTokens: previewTokens })}\n[ctx: ${String(tokens)} tokens are kept at ${pointer}]`;
