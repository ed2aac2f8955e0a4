import { searchWords } from '../relevance/split-words.ts';

/** What full text sees of an output. */
export interface OutputWords {
  readonly args: string;
  readonly body: string;
}

/** The search words of an output: tool and arguments in one field, the beginning of the result in the other. */
export function outputWords(
  parts: { readonly toolName: string; readonly argsJson: string; readonly resultText: string },
  searchedCharacters: number,
): OutputWords {
  const args = `${parts.toolName} ${parts.argsJson.slice(0, searchedCharacters)}`;
  return {
    args: searchWords(args).join(' '),
    body: searchWords(parts.resultText.slice(0, searchedCharacters)).join(' '),
  };
}
