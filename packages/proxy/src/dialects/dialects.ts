import { anthropic } from './anthropic.ts';
import type { Dialect } from './dialect.ts';

const dialects: readonly Dialect[] = [anthropic];

/** The API whose conversations come at a path; `undefined` for anything else that a client asks. */
export function dialectOf(path: string): Dialect | undefined {
  return dialects.find(({ isConversation }) => isConversation(path));
}
