import type { Tier } from '@ctx/core';
import type { Page, PageRequest } from '../../records/pages.ts';
import type { KnownReads } from '../../records/read-cache.ts';
import type { ChangeContext } from '../agent-clock.ts';
import type { ItemStore } from '../item-store.ts';
import { holdsStill, type Standing, standingOf } from '../tiers/tier-bounds.ts';

/** Which items are wanted. */
export interface ItemFilter {
  readonly kind?: string;
  /** Default: all of them. */
  readonly tier?: Tier;
  /** The archived ones in place of the others. Default false. */
  readonly archived?: boolean;
}

/** First pages that were read lately, each good until time moves an item out of the tier. */
export type FirstPages<Entry> = KnownReads<{
  readonly page: Page<Entry>;
  readonly standing: Standing;
}>;

/** Largest page that is kept, characters of its contents. */
const mostKept = 65_536;

function isSmall({ entries }: Page<{ readonly content: string }>): boolean {
  return entries.reduce((sum, { content }) => sum + content.length, 0) <= mostKept;
}

/** A page that is asked for, and the moment at which it is. */
export interface AskedPage {
  readonly agentId: string;
  readonly filter: ItemFilter;
  readonly page: PageRequest;
  readonly moment: ChangeContext;
}

/** Time takes items from the hot tier alone; the lower ones get some by it. Where the lowest of the hot stands is known of the unarchived. */
function mayBeKnown({ filter: { tier, archived }, page }: AskedPage): boolean {
  if (page.after !== undefined) return false;
  return tier === undefined || (tier === 'hot' && archived !== true);
}

/** The page, from memory if it is a first one that was asked for before and nothing was written since; else as `read` gives it. */
export async function readKnown<Entry extends { readonly content: string }>(
  store: ItemStore,
  asked: AskedPage,
  from: { readonly known: FirstPages<Entry>; readonly read: () => Promise<Page<Entry>> },
): Promise<Page<Entry>> {
  if (!mayBeKnown(asked)) return from.read();
  const { agentId, filter, page, moment } = asked;
  const { tier, kind, archived } = filter;
  const name = JSON.stringify([agentId, page.limit, tier, kind, archived]);
  const { value, keep } = from.known.look(name);
  if (value !== undefined && holdsStill(value.standing, moment)) return value.page;
  const borders = tier === 'hot' ? (['hot'] as const) : [];
  const standing = keep && (await standingOf(store, [agentId, moment], borders));
  const read = await from.read();
  if (standing !== undefined && isSmall(read)) keep?.({ page: read, standing });
  return read;
}
