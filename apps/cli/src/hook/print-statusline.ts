import { renderStatusline } from '@ctx/claude-code';
import type { CliHost } from '../cli-host.ts';
import { type StatuslineFlags, statuslineAnswer } from './run-statusline.ts';

/** Width where nobody says one. */
const usualWidth = 80;

function widthOf({ env, out }: CliHost): number {
  const columns = Number(env['COLUMNS']);
  if (Number.isSafeInteger(columns) && columns > 0) return columns;
  return out.isTty ? out.columns : usualWidth;
}

/** The line is shown by an agent, so it has colours although it goes into a pipe. */
function hasColor({ env }: CliHost): boolean {
  const refused = env['NO_COLOR'];
  return (refused === undefined || refused === '') && env['TERM'] !== 'dumb';
}

/** Prints the status line. Never throws. */
export async function printStatusline(host: CliHost, flags: StatuslineFlags): Promise<void> {
  const answer = await statuslineAnswer(host, flags);
  const line = renderStatusline(answer, { width: widthOf(host), hasColor: hasColor(host) });
  await host.out.write(`${line}\n`);
}
