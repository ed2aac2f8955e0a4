import { type CommandContext, writeErr } from '../command-context.ts';
import { countedText } from '../terminal/render.ts';

/** Says which items of a checkpoint nobody can bring back. */
export async function showGone(
  context: CommandContext,
  { missing, purged }: { readonly missing: readonly string[]; readonly purged: number },
): Promise<void> {
  if (missing.length > 0) {
    await writeErr(context, `Gone for good: the contents of ${missing.join(', ')}`);
  }
  if (purged > 0)
    await writeErr(context, `Purged since, names and all: ${countedText(purged, 'item')}`);
}
