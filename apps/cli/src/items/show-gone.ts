import { countedText } from '@ctx/core/encoding';
import type { CommandContext } from '../command-context.ts';

/** Says which items of a checkpoint cannot be brought back. */
export async function showGone(
  context: CommandContext,
  { missing, purged }: { readonly missing: readonly string[]; readonly purged: number },
): Promise<void> {
  if (missing.length > 0) await context.say(`Gone for good: the contents of ${missing.join(', ')}`);
  if (purged > 0) await context.say(`Purged since, names and all: ${countedText(purged, 'item')}`);
}
