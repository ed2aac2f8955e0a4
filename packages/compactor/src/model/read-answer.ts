import type { FinishReason, SummaryDraft } from '../summary/summarizer.ts';
import type { LanguageModelAnswer } from './language-model.ts';

/** Turns an answer of a model, of whichever specification, into a draft. Never throws on a shape it does not know. */
export function readAnswer(answer: LanguageModelAnswer): SummaryDraft {
  const hasCall = answer.content.some(({ type }) => type === 'tool-call');
  const { inputTokens, outputTokens } = answer.usage;
  return {
    text: answer.content.flatMap((part) => textOf(part)).join(''),
    finish: hasCall ? 'tool-call' : finishOf(answer.finishReason),
    usage: {
      inputTokens: numberOf(inputTokens),
      outputTokens: numberOf(outputTokens),
      requests: 1,
    },
  };
}

function textOf(part: { readonly type: string }): string[] {
  return part.type === 'text' && 'text' in part && typeof part.text === 'string' ? [part.text] : [];
}

function finishOf(reason: LanguageModelAnswer['finishReason']): FinishReason {
  const word = typeof reason === 'string' ? reason : reason.unified;
  if (word === 'stop' || word === 'length') return word;
  return word === 'tool-calls' ? 'tool-call' : 'other';
}

function numberOf(count: number | undefined | { readonly total: number | undefined }): number {
  const number = typeof count === 'object' ? count.total : count;
  return number ?? 0;
}
