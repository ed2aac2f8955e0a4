import { z } from 'zod';
import { type LiveEventType, liveEventTypes } from '../event-log/live-event.ts';
import { textId } from '../http/id-in-url.ts';
import type { LiveFilter } from './pump-events.ts';

const typeName = z.enum(liveEventTypes);
const typeNames = z.union([typeName, z.array(typeName).max(50)]);

/** Which events a client asks for, in an address or a first message. */
export interface LiveChoice {
  readonly agent?: string;
  readonly session?: string;
  readonly type?: LiveEventType | LiveEventType[];
  readonly types?: LiveEventType | LiveEventType[];
}

/** The members of a choice; `type` and `types` are two names of one filter. */
export const choiceMembers: {
  readonly [Name in keyof LiveChoice]-?: z.ZodExactOptional<z.ZodType<Required<LiveChoice>[Name]>>;
} = {
  agent: textId.exactOptional(),
  session: textId.exactOptional(),
  type: typeNames.exactOptional().describe('One type, or several: the same as types'),
  types: typeNames.exactOptional().describe('One type, or several: the same as type'),
};

/** What is asked of the live events. */
export interface LiveQuery extends LiveChoice {
  /** The last event that the reader has; left out, it begins with what comes. */
  readonly since?: number;
}

/** What a choice lets through. Costs next to nothing. */
export function filterOf({ agent, session, type, types }: LiveChoice): LiveFilter {
  const wanted = [type ?? [], types ?? []].flat();
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(session === undefined ? {} : { session }),
    ...(type === undefined && types === undefined ? {} : { types: wanted }),
  };
}
