import { countedText, countText } from '@ctx/core/encoding';
import type { CommandContext } from '../command-context.ts';
import { asideLines } from '../fit/aside-lines.ts';
import type { WhyAnswer, WhySegment } from '../schemas/window.ts';
import { renderTable } from '../terminal/render-table.ts';
import { oneLine, visibleText } from '../terminal/visible-text.ts';

/** Below this a table would break its lines: each segment gets two of its own. */
const tableColumns = 90;

const stateColumns = [
  { title: 'state' },
  { title: 'segments', align: 'right' },
  { title: 'tokens', align: 'right' },
  { title: 'shown', align: 'right' },
] as const;

const segmentColumns = [
  { title: '#', align: 'right' },
  { title: 'message', align: 'right' },
  { title: 'what' },
  { title: 'tokens', align: 'right' },
  { title: 'shown', align: 'right' },
  { title: 'state' },
  { title: 'why', isFlexible: true },
] as const;

const numberText = (number: number | undefined): string =>
  number === undefined ? '' : String(number);

/** Longest name of a tool in a table, characters. */
const maxTool = 24;

function whatText({ role, kind, tool }: WhySegment): string {
  const name = tool === undefined ? [] : [oneLine(tool, maxTool)];
  return [...(kind === 'text' ? [role] : []), ...name, kind].join(' ');
}

function cellsOf(segment: WhySegment): string[] {
  const { tokensBefore, tokensAfter, state, why } = segment;
  return [
    numberText(segment.segment),
    numberText(segment.message),
    whatText(segment),
    countText(tokensBefore),
    countText(tokensAfter),
    state,
    why,
  ];
}

function narrowText({ host }: CommandContext, segments: readonly WhySegment[]): string {
  const width = Math.max(20, host.out.columns - 1);
  const lines = segments.flatMap((segment) => {
    const { tokensBefore, tokensAfter, state, why } = segment;
    const size =
      tokensBefore === tokensAfter
        ? countText(tokensAfter)
        : `${countText(tokensBefore)} → ${countText(tokensAfter)}`;
    const number = segment.segment === undefined ? '' : `#${String(segment.segment)} `;
    return [`${number}${whatText(segment)}, ${state}, ${size} tokens`, `  ${why}`];
  });
  return `${lines.map((line) => cutLine(line, width)).join('\n')}\n`;
}

function cutLine(line: string, width: number): string {
  const indent = line.startsWith('  ') ? '  ' : '';
  return indent + visibleText(oneLine(line.trimStart(), width - indent.length));
}

function headText(answer: WhyAnswer): string {
  const { name, source, request, requests, policy, windowTokens, tokens, tokensWhole } = answer;
  return [
    `${source === 'file' ? name : `session ${name}`}: request ${countText(request)} of ${countText(requests)}, policy ${policy}`,
    `${countText(tokens)} of ${countText(answer.limitTokens)} tokens (window ${countText(windowTokens)}); ${countText(tokensWhole)} with everything whole${policy === 'as it was kept' ? '' : ', each part counted on its own'}`,
    ...asideLines(answer.messagesAside),
    '',
  ].join('\n');
}

/** What people see: where the tokens are by state, then segment by segment. */
export function whyText(context: CommandContext, answer: WhyAnswer): string {
  const rows = answer.states.map(({ state, segments, tokensBefore, tokensAfter }) => [
    state,
    countText(segments),
    countText(tokensBefore),
    countText(tokensAfter),
  ]);
  const { out } = context.host;
  const isNarrow = out.isTty && out.columns < tableColumns;
  const segments = isNarrow
    ? narrowText(context, answer.segments)
    : renderTable(context, segmentColumns, answer.segments.map(cellsOf));
  return `${headText(answer)}\n${renderTable(context, stateColumns, rows)}\n${segments}`;
}

/** One segment in full. */
export function segmentText(segment: WhySegment): string {
  const { message, role, kind, tool, state, why, tokensBefore, tokensAfter, read } = segment;
  const lines = [
    `segment  ${numberText(segment.segment)}`,
    `message  ${numberText(message)}, ${role}`,
    `kind     ${tool === undefined ? kind : `${kind} of ${tool}`}`,
    `state    ${state}`,
    `why      ${why}`,
    `tokens   ${countText(tokensBefore)}, shown ${countText(tokensAfter)}`,
    ...(read === undefined ? [] : [`original ${read}`]),
  ];
  return `${lines.join('\n')}\n`;
}

export function footText({ segments, next }: WhyAnswer): string | undefined {
  if (next === undefined) return undefined;
  return `${countedText(segments.length, 'segment')} shown. More: --from ${String(next)}`;
}
