import { countedText, countText, percentText } from '@ctx/core/encoding';
import type { CommandContext } from '../command-context.ts';
import type { CacheLintAnswer, CacheLintFinding, CacheLintRequest } from '../schemas/measure.ts';
import { renderTable, type TableColumn } from '../terminal/render-table.ts';

const right = (title: string): TableColumn => ({ title, align: 'right' });

/** Most requests that are listed for people; `--json` has all. */
const maxRows = 40;

const causeColumns: readonly TableColumn[] = [
  { title: 'cause' },
  right('requests'),
  right('tokens'),
  right('UTE'),
  right('of input'),
];

const findingColumns: readonly TableColumn[] = [
  { title: 'request' },
  { title: 'cause' },
  right('tokens'),
  right('UTE'),
  { title: 'where' },
  { title: 'before → after', isFlexible: true },
];

function placeOf({ file, line }: CacheLintRequest): string {
  return line === undefined ? file : `${file}:${String(line)}`;
}

function findingCells(request: CacheLintRequest, finding: CacheLintFinding): string[] {
  const { cause, kinds, tokens, ute, path = '', before, after } = finding;
  const name = kinds === undefined ? cause : `${cause}: ${kinds.join(', ')}`;
  const change =
    before === undefined && after === undefined
      ? ''
      : `${JSON.stringify(before)} → ${JSON.stringify(after)}`;
  return [placeOf(request), name, countText(tokens), countText(ute), path, change];
}

function findingsTable(context: CommandContext, { requests }: CacheLintAnswer): string {
  const rows = requests.flatMap((request) =>
    request.findings.map((finding) => findingCells(request, finding)),
  );
  if (rows.length === 0) return '';
  const shown = renderTable(context, findingColumns, rows.slice(0, maxRows));
  if (rows.length <= maxRows) return `\n${shown}`;
  return `\n${shown}… and ${countText(rows.length - maxRows)} more; --json lists all\n`;
}

function partialText({ partialRequests, requests }: CacheLintAnswer): string {
  if (partialRequests === 0) return '';
  const count = `${countText(partialRequests)} of ${countedText(requests.length, 'request')}`;
  return `\n${count} hold only what is new: they go on from what the provider keeps (previous_response_id, conversation or cachedContent). What came before is not in the log, so they are not judged, and no sum counts them.`;
}

function keptText({ partialRequests, requests }: CacheLintAnswer): string {
  if (partialRequests === requests.length) return 'Nothing can be judged.';
  const what = partialRequests === 0 ? 'Every prefix' : 'Every prefix that is in the log';
  return `${what} was kept: nothing was paid twice.`;
}

/** The answer for people: what was wasted by cause, where, and what to do. */
export function cacheLintText(context: CommandContext, answer: CacheLintAnswer): string {
  const { causes, inputTokens, hitTokens, inputUte, wastedUte, requests } = answer;
  const head = `${countedText(requests.length, 'request')}, ${countText(inputTokens)} input tokens, ${percentText(hitTokens, inputTokens)} answered by the cache, prices ${answer.price}`;
  const times = answer.hasTimes
    ? ''
    : '\nThe log has no times: what a cache forgot in between is not counted.';
  const files = new Set(requests.map(({ file }) => file)).size;
  const log =
    files < 2
      ? ''
      : `\n${countText(files)} files, read as one log: what one of them cached, the next finds. Name them one by one to judge each alone.`;
  const notes = `${log}${times}${partialText(answer)}`;
  if (causes.length === 0) return `${head}${notes}\n${keptText(answer)}\n`;
  const waste = `${countText(wastedUte)} of ${countText(inputUte)} UTE (${percentText(wastedUte, inputUte)}) were paid for tokens that had been sent before`;
  const rows = causes.map(({ cause, requests: count, tokens, ute }) => [
    cause,
    countText(count),
    countText(tokens),
    countText(ute),
    percentText(ute, inputUte),
  ]);
  const fixes = causes.map(({ cause, fix }) => `  ${cause}: ${fix}`).join('\n');
  return `${head}${notes}\n${waste}\n\n${renderTable(context, causeColumns, rows)}${findingsTable(context, answer)}\nWhat to do\n${fixes}\n`;
}
