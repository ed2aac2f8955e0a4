import { type CommandContext, writeErr } from '../command-context.ts';
import type { ReplayedSession } from '@ctx/replay';
import { countedText } from '../terminal/render.ts';

/** Says of each file with more lanes than were replayed, such as those of subagents, how many there are. */
export async function tellLanesLeftOut(
  context: CommandContext,
  sessions: readonly ReplayedSession[],
): Promise<void> {
  for (const { file, lanesLeftOut = 0 } of sessions) {
    if (lanesLeftOut === 0) continue;
    const lanes = countedText(lanesLeftOut, 'other lane');
    await writeErr(context, `${file}: only the main lane was replayed; it has ${lanes}`);
  }
}
