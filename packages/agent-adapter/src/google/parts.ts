import { listOf, recordOf } from '../openai/body-parts.ts';
import type { Json } from '../with-context/wire.ts';

/** One turn of a conversation with Gemini. */
export interface Content {
  readonly role: 'user' | 'model';
  readonly parts: readonly Json[];
}

export const partsOf = (content: Json): readonly Json[] => listOf(content['parts']);

export const roleOf = (content: Json): 'user' | 'model' =>
  content['role'] === 'model' ? 'model' : 'user';

/** Returns the call that a part is, if it is one. */
export function callIn(part: Json): Json | undefined {
  return part['functionCall'] === undefined ? undefined : recordOf(part['functionCall']);
}

/** Returns the response to a call that a part is, if it is one. */
export function responseIn(part: Json): Json | undefined {
  return part['functionResponse'] === undefined ? undefined : recordOf(part['functionResponse']);
}

/** Makes one turn of several of the same role that follow each other: roles alternate, and all responses to a turn stand in the next. */
export function withJoinedTurns(contents: readonly Json[]): readonly Json[] {
  const turns: Json[] = [];
  for (const content of contents) {
    const last = turns.at(-1);
    if (last === undefined || roleOf(last) !== roleOf(content)) turns.push(content);
    else turns[turns.length - 1] = { ...last, parts: [...partsOf(last), ...partsOf(content)] };
  }
  return turns;
}
