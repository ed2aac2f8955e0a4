import type { Usage } from '../../transcript.ts';
import { countAt, fieldOf, isList, isRecord, parseJson, textAt } from '../../values.ts';

/**
 * The usage of each request of a task of Cline or Roo, from the parsed `ui_messages.json`: it stands there as JSON text.
 * In order; requests without figures (still running, or cut off) are left out. Cached tokens are added to the input.
 */
export function usageOfClineTask(uiMessages: unknown): readonly Usage[] {
  if (!isList(uiMessages)) return [];
  return uiMessages.flatMap((message): readonly Usage[] => {
    if (!isRecord(message) || fieldOf(message, 'say') !== 'api_req_started') return [];
    const figures = parseJson(textAt(message, 'text') ?? '');
    if (!isRecord(figures) || typeof fieldOf(figures, 'tokensIn') !== 'number') return [];
    const cacheRead = countAt(figures, 'cacheReads');
    const cacheWrite = countAt(figures, 'cacheWrites');
    const input = countAt(figures, 'tokensIn') + cacheRead + cacheWrite;
    return [{ input, cacheRead, cacheWrite, output: countAt(figures, 'tokensOut') }];
  });
}
