import { type Bound, boundAt } from './find-bound.ts';
import { missLine } from './find-misses.ts';
import type { PolicyRow, SetReport } from './measure-set.ts';

/** A share in per cent, or a word where there is nothing to share. */
function share(part: number, whole: number): string {
  return whole === 0 ? 'none' : ((100 * part) / whole).toFixed(1);
}

const editShare = ({ edits, editsInView }: PolicyRow): number =>
  edits === 0 ? 1 : editsInView / edits;

/** Points of the recipe and of sending everything that nothing beats on both axes, by rising evidence. */
function frontOf({ rows }: SetReport): PolicyRow[] {
  const points = rows.filter(({ policy }) => policy === 'none' || policy.startsWith('ai-'));
  const best = points.filter(
    (one) => !points.some((two) => two.ute < one.ute && editShare(two) > editShare(one)),
  );
  return best.sort((a, b) => editShare(a) - editShare(b) || a.ute - b.ute);
}

/** What the recipe would cost at this evidence: on the line between its two neighbouring points. */
export function costAtEqualEvidence(report: SetReport, row: PolicyRow): number | undefined {
  if (row.edits === 0) return undefined;
  const front = frontOf(report);
  const above = front.find((point) => editShare(point) >= editShare(row));
  const below = front.findLast((point) => editShare(point) < editShare(row));
  if (above === undefined || below === undefined) return above?.ute;
  const way = (editShare(row) - editShare(below)) / (editShare(above) - editShare(below));
  return below.ute + way * (above.ute - below.ute);
}

function lineOf(report: SetReport, row: PolicyRow, none: PolicyRow | undefined): string {
  const equal = costAtEqualEvidence(report, row);
  const cells = [
    row.policy.padEnd(14),
    (row.ute / (none?.ute ?? row.ute)).toFixed(3).padStart(6),
    (row.inputUte / (none?.inputUte ?? row.inputUte)).toFixed(3).padStart(7),
    share(row.editsInView, row.edits).padStart(7),
    share(row.rereadInView, row.rereadTokens).padStart(9),
    share(row.namesInView, row.names).padStart(7),
    (equal === undefined ? 'none' : (row.ute / equal).toFixed(2)).padStart(11),
    String(row.invalid).padStart(8),
    String(row.overWindow).padStart(6),
    share(row.recoverable, row.outputs).padStart(8),
  ];
  return cells.join(' ');
}

/** What no rule can beat that keeps calls and texts as the window does. */
function boundLine(bound: Bound | undefined, none: PolicyRow | undefined): string[] {
  if (bound === undefined || none === undefined) return [];
  const shareOf = (ute: number): string => (ute / none.inputUte).toFixed(3);
  const known = [0.95, 0.98, 1].map(
    (part) => `${shareOf(boundAt(bound, part))} @ ${String(100 * part)}`,
  );
  const least = shareOf(bound.withoutResults);
  return [
    `bound of input  ${least} where no result is sent twice; ${known.join(', ')} where those stay that an edit will need, known beforehand`,
  ];
}

const head =
  'policy           cost  input%s   edits  re-reads   names  at equal ev  invalid   over  recover';

/** Tables, the set first on which the default keeps the least of what edits need. */
export function printSets(reports: readonly SetReport[]): string {
  const worst = (report: SetReport): number => {
    const row = report.rows.find(({ policy }) => policy === 'ctx');
    return row === undefined || row.edits === 0 ? 2 : editShare(row);
  };
  const sorted = [...reports].sort((a, b) => worst(a) - worst(b));
  const tables = sorted.map((report) => {
    const none = report.rows.find(({ policy }) => policy === 'none');
    const edits = String(none?.edits ?? 0);
    const title = `${report.name}: ${String(report.sessions)} sessions, ${String(report.requests)} requests, ${edits} edits judged, none ${((none?.ute ?? 0) / 1e6).toFixed(3)} million UTE`;
    const lines = report.rows.map((row) => lineOf(report, row, none));
    const bound = boundLine(report.bound, none);
    const misses = report.misses.map(missLine);
    return [title, head.replace('%s', ''), ...lines, ...bound, ...misses].join('\n');
  });
  return `${tables.join('\n\n')}\n`;
}
