import { bytesText, countedText, countText, percentText } from '@ctx/core/encoding';
import type { topMomentSchema } from '@ctx/replay';
import colors from 'picocolors';
import type { z } from 'zod';
import { cutAt, oneLine, shareBar, visibleText } from '../terminal/visible-text.ts';

export type TopMoment = z.infer<typeof topMomentSchema>;

/** How much room there is, and whether colours may be used. */
export interface TopScreen {
  readonly columns: number;
  /** Lines; left out: as many as it takes for all but the events, of which the newest 20 are shown. */
  readonly rows?: number;
  readonly hasColor: boolean;
}

interface Pen {
  readonly width: number;
  readonly bold: (text: string) => string;
  readonly paint: Readonly<Record<string, (text: string) => string>>;
  readonly fill: (share: number) => (text: string) => string;
}

function penFor({ columns, hasColor }: TopScreen): Pen {
  const { bold, red, yellow, cyan, green } = colors.createColors(hasColor);
  return {
    width: Math.max(20, columns),
    bold,
    paint: { hot: red, warm: yellow, cold: cyan },
    fill: (share) => (share > 0.9 ? red : share > 0.7 ? yellow : green),
  };
}

/** Text of the store on one line that fits: hidden signs are visible before it is cut. */
function fitted(text: string, width: number): string {
  const line = visibleText(oneLine(text));
  return line.length <= width ? line : `${cutAt(line, Math.max(0, width - 1))}…`;
}

function headLines(
  { session, title, agent, updatedAt }: TopMoment,
  { width, bold }: Pen,
): string[] {
  const name = title === undefined ? session : `${session}  ${title}`;
  return [bold(fitted(name, width)), fitted(`agent ${agent}  last change ${updatedAt}`, width)];
}

/** Where the fill is not that of a window in the store. */
const roomTexts: Readonly<Record<string, string>> = {
  log: 'no window is kept in this store: this is all that was logged',
  watched: 'passed on unchanged by the proxy: ctx shaped none of its requests',
  agent: 'as the agent told with its newest request',
};

function fillLines({ window, logged, outputs }: TopMoment, { width, fill }: Pen): string[] {
  const { tokens, limitTokens, requests, from } = window;
  const share = limitTokens === 0 ? 0 : tokens / limitTokens;
  const free = Math.max(0, limitTokens - tokens);
  const what = from === 'log' ? 'log' : 'window';
  const numbers = `${countText(tokens)} of ${countText(limitTokens)} tokens, ${percentText(tokens, limitTokens)}`;
  const room = roomTexts[from] ?? `${countText(free)} free, ${countedText(requests, 'request')}`;
  const stored = `${countedText(outputs.count, 'output')}, ${countText(outputs.tokens)} tokens, ${bytesText(outputs.bytes)}`;
  return [
    fitted(`${what}  ${numbers}`, width),
    fill(share)(shareBar(share, Math.min(width, 100))),
    fitted(room, width),
    fitted(
      `log ${countedText(logged.events, 'event')}, ${countText(logged.tokens)} tokens; stored ${stored}`,
      width,
    ),
  ];
}

function countLines(counts: TopMoment['tiers'], one: string, { width, paint }: Pen): string[] {
  const whole = counts.reduce((sum, { tokens }) => sum + tokens, 0);
  const nameWidth = Math.max(4, ...counts.map(({ name }) => name.length));
  const texts = counts.map(
    ({ count, tokens }) => `${countedText(count, one)}  ${countText(tokens)} tokens`,
  );
  const textWidth = Math.max(0, ...texts.map((text) => text.length));
  const barWidth = Math.min(24, width - nameWidth - textWidth - 4);
  return counts.map(({ name, tokens }, at) => {
    const numbers = (texts[at] ?? '').padStart(textWidth);
    if (barWidth < 4) return fitted(`${name.padEnd(nameWidth)}  ${numbers.trim()}`, width);
    const drawn = shareBar(whole === 0 ? 0 : tokens / whole, barWidth);
    const painted = (paint[name] ?? ((text: string) => text))(drawn);
    return `${name.padEnd(nameWidth)}  ${painted}  ${numbers}`;
  });
}

/** Events that are shown where there is no end of lines. */
const eventsWithoutScreen = 20;

function clockText(at: string): string {
  return at.slice(11, 19);
}

function flushLines({ flushes }: TopMoment, { width }: Pen): string[] {
  return flushes.map(({ at, trigger, tokensBefore, tokensAfter }) =>
    fitted(
      `${clockText(at)}  ${trigger}  ${countText(tokensBefore)} → ${countText(tokensAfter)} tokens`,
      width,
    ),
  );
}

function eventLines({ events }: TopMoment, { width }: Pen): string[] {
  return events.map(({ sequence, at, type, tokens, detail }) => {
    const size = tokens === 0 ? '' : `  ${countText(tokens)} tokens`;
    return fitted(`${clockText(at)}  #${String(sequence)} ${type}${size}  ${detail}`, width);
  });
}

interface Block {
  readonly title: string;
  readonly lines: readonly string[];
  /** Fewest lines it gets before those after it get any. */
  readonly least: number;
}

/** Cuts blocks to the lines there are: each gets its least in order, the last ones share what is left. */
function placed(blocks: readonly Block[], rows: number, bold: (text: string) => string): string[] {
  const shown: string[] = [];
  for (const [at, { title, lines, least }] of blocks.entries()) {
    if (lines.length === 0) continue;
    const behind = blocks
      .slice(at + 1)
      .reduce(
        (sum, block) =>
          sum + (block.lines.length === 0 ? 0 : Math.min(block.lines.length, block.least) + 2),
        0,
      );
    const room = rows - shown.length - 2;
    const count = Math.min(lines.length, Math.max(Math.min(least, room), room - behind));
    if (count <= 0) break;
    shown.push('', bold(title), ...lines.slice(0, count));
  }
  return shown;
}

/**
 * One moment of a session as lines. Pure; no line is wider than the screen, and there are no more of them than it has.
 * What does not fit is left out from below: the fill of the window is always there.
 */
export function renderTop(answer: TopMoment, screen: TopScreen): string[] {
  const pen = penFor(screen);
  const rows = screen.rows ?? Number.MAX_SAFE_INTEGER;
  const most = screen.rows ?? eventsWithoutScreen;
  const events = eventLines({ ...answer, events: answer.events.slice(0, most) }, pen);
  const head = [...headLines(answer, pen), '', ...fillLines(answer, pen)];
  const blocks: Block[] = [
    { title: 'segments', lines: countLines(answer.window.states, 'segment', pen), least: 4 },
    { title: 'tiers', lines: countLines(answer.tiers, 'item', pen), least: 3 },
    { title: 'flushes', lines: flushLines(answer, pen), least: 3 },
    { title: 'events', lines: events, least: 3 },
  ];
  return [...head, ...placed(blocks, rows - head.length, pen.bold)].slice(0, rows);
}
