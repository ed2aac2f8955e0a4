import * as z from 'zod';

/** What may happen in a store. */
export type LiveEventType =
  | 'item-saved'
  | 'item-touched'
  | 'tier-changed'
  | 'item-archived'
  | 'item-deleted'
  | 'facts-updated'
  | 'output-saved'
  | 'output-deleted'
  | 'flash-saved'
  | 'checkpoint-restored'
  | 'session-updated'
  | 'session-deleted'
  | 'window-flushed'
  | 'compaction-committed'
  | 'cache-miss';

/** Every type. */
export const liveEventTypes: readonly LiveEventType[] = [
  'item-saved',
  'item-touched',
  'tier-changed',
  'item-archived',
  'item-deleted',
  'facts-updated',
  'output-saved',
  'output-deleted',
  'flash-saved',
  'checkpoint-restored',
  'session-updated',
  'session-deleted',
  'window-flushed',
  'compaction-committed',
  'cache-miss',
];

/** Something that changed. Ids and sizes, never content. */
export interface LiveEvent {
  /** Place in the tenant's log, from 1, without gaps. The only order. */
  readonly sequence: number;
  readonly type: LiveEventType;
  /** ms since the epoch. */
  readonly at: number;
  readonly agentId?: string;
  readonly sessionId?: string;
  /** Of the item, output, compaction or checkpoint; missing where the event stands for several. */
  readonly id?: string;
  /** How many it stands for, where it is more than one. */
  readonly count?: number;
  readonly tokens?: number;
}

/** An event whose place in the log is not told: the log knows it. */
export type LiveChange = Omit<LiveEvent, 'sequence'>;

/** An event that has neither place nor moment yet. */
export type LiveEventDraft = Omit<LiveChange, 'at'>;

/** The stored part of an event: all but what key and columns say. */
export const liveBodySchema: z.ZodType<
  Pick<LiveEvent, 'agentId' | 'sessionId' | 'id' | 'count' | 'tokens'>
> = z.object({
  agentId: z.string().exactOptional(),
  sessionId: z.string().exactOptional(),
  id: z.string().exactOptional(),
  count: z.number().exactOptional(),
  tokens: z.number().exactOptional(),
});
