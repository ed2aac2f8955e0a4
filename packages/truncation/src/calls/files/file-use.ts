import {
  commonLines,
  defaultFileTools,
  type FileTool,
  type FileToolTable,
  type FileUse,
  type LinesForm,
  offsetLines,
  type PathForm,
} from './file-tools.ts';
import { patchedFiles } from '../patch-text.ts';
import { type LineRange, wholeFile } from './line-range.ts';

/** A call, as far as it matters here. */
export interface NamedCall {
  readonly name: string;
  /** What the model sent: an object, or a bare text. */
  readonly input?: unknown;
}

/**
 * Tells what a call does to which files, `undefined` where the table does not know its tool. A call whose input names no path
 * has none.
 * Pure; what the model sent is never trusted to have a shape. Takes time linear in the table and in a patch.
 */
export function fileUseOf(
  call: NamedCall,
  table: FileToolTable = defaultFileTools,
): FileUse | undefined {
  const { input } = call;
  const name = bareName(call.name);
  const tool = table.find(
    (candidate) => candidate.names.includes(name) && isMeant(candidate, input),
  );
  if (tool === undefined) return undefined;
  const { access, clippedMarks = [], contentTags = [] } = tool;
  const paths = pathsOf(tool, input);
  return { access, paths, lines: linesOf(tool, input), clippedMarks, contentTags };
}

/** What stands between the name of a server and its tool's. */
const serverMarks = ['__', '.', '/', ':'];

/** The name of a tool without the server it comes from, in lower case. */
function bareName(name: string): string {
  const starts = serverMarks.map((mark) => {
    const at = name.lastIndexOf(mark);
    return at < 0 ? 0 : at + mark.length;
  });
  return name.slice(Math.max(...starts)).toLowerCase();
}

function isMeant({ commands }: FileTool, input: unknown): boolean {
  if (commands === undefined) return true;
  const command = member(input, 'command') ?? (hasText(input) ? undefined : '');
  return typeof command === 'string' && commands.includes(command);
}

function member(input: unknown, name: string): unknown {
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, name)) return undefined;
  const value: unknown = Reflect.get(input, name);
  return value;
}

/** Whether an input has a text to write, or says more than one. */
function hasText(input: unknown): boolean {
  return entriesOf(input).filter(([, value]) => typeof value === 'string').length > 1;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function pathsOf(tool: FileTool, input: unknown): readonly string[] {
  for (const form of tool.paths) {
    const paths = pathsIn(form, input);
    if (paths.length > 0) return paths;
  }
  return [];
}

function pathsIn(form: PathForm, input: unknown): readonly string[] {
  switch (form.form) {
    case 'field':
      return [member(input, form.field)].filter(isText);
    case 'list': {
      const { field } = form;
      const list = listOf(member(input, form.list));
      return list.map((item) => (field === undefined ? item : member(item, field))).filter(isText);
    }
    case 'patch':
      return patchPaths(typeof input === 'string' ? input : member(input, form.field));
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Paths that a patch of Codex names, each once. */
function patchPaths(value: unknown): readonly string[] {
  const text = Array.isArray(value) ? value.filter(isText).join('\n') : value;
  return isText(text) ? [...new Set(patchedFiles(text).map(({ path }) => path))] : [];
}

function linesOf({ lines = [] }: Pick<FileTool, 'lines'>, input: unknown): LineRange | 'unknown' {
  const forms = [...commonLines, ...lines, offsetLines];
  if (countsFromZero(input) || tellsMore(input, new Set(forms.flatMap(fieldsOf)))) return 'unknown';
  for (const form of forms) {
    const found = linesIn(form, input);
    if (found === undefined) continue;
    return found === 'unknown' || found.last >= found.first ? found : 'unknown';
  }
  return wholeFile;
}

/**
 * Tells the lines that a tool reads which no table knows, by the names of its arguments; `unknown` where there are arguments that
 * may say more than which file.
 */
export function linesOfRead(input: unknown, path: string | undefined): LineRange | 'unknown' {
  const lines = linesOf({}, input);
  if (lines !== wholeFile) return lines;
  const known = new Set(['command', 'type', 'description', 'explanation']);
  const others = entriesOf(input).filter(([name, value]) => value !== path && !known.has(name));
  return others.length === 0 ? lines : 'unknown';
}

function entriesOf(input: unknown): [string, unknown][] {
  return typeof input === 'object' && input !== null ? Object.entries(input) : [];
}

/** The members that a form reads numbers from. */
function fieldsOf(form: LinesForm): readonly string[] {
  switch (form.form) {
    case 'offset-limit':
      return [form.offset, form.limit];
    case 'first-last':
      return [form.first, form.last];
    case 'pair':
      return [form.field];
    case 'head-tail':
      return [form.head, form.tail];
    case 'around':
      return [form.line];
    case 'in-list':
      return [form.list];
  }
}

/** Whether a tool counts lines from 0: Gemini CLI did as long as it called a file `absolute_path`; Serena does. */
function countsFromZero(input: unknown): boolean {
  const has = (name: string): boolean => member(input, name) !== undefined;
  return (has('absolute_path') && has('offset')) || (has('relative_path') && has('start_line'));
}

/** Whether an input has numbers that no form knows: they may say which lines. Those that say nothing are 0 and -1. */
function tellsMore(input: unknown, known: ReadonlySet<string>): boolean {
  return entriesOf(input).some(([name, value]) => {
    const numbers = [value].flat().filter((each) => typeof each === 'number' && each > 0);
    return numbers.length > 0 && !known.has(name);
  });
}

function linesIn(form: LinesForm, input: unknown): LineRange | 'unknown' | undefined {
  switch (form.form) {
    case 'offset-limit':
      return offsetLimit(form, input);
    case 'first-last':
      return rangeOf(numberIn(input, form.first), numberIn(input, form.last));
    case 'pair':
      return pair(member(input, form.field));
    case 'head-tail':
      return headTail(numberIn(input, form.head), numberIn(input, form.tail));
    case 'around':
      return numberIn(input, form.line) === undefined ? firstLines(form.windowLines) : 'unknown';
    case 'in-list':
      return listOf(member(input, form.list)).some((item) => hasAny(item, form.fields))
        ? 'unknown'
        : undefined;
  }
}

function firstLines(count: number): LineRange {
  return { first: 1, last: count };
}

function hasAny(item: unknown, names: readonly string[]): boolean {
  return names.some((name) => member(item, name) !== undefined);
}

function pair(value: unknown): LineRange | undefined {
  const [first, last] = listOf(value).map(numberOf);
  return rangeOf(first, last === -1 ? undefined : last);
}

function headTail(
  head: number | undefined,
  tail: number | undefined,
): LineRange | 'unknown' | undefined {
  if (tail !== undefined) return 'unknown';
  return head === undefined ? undefined : firstLines(head);
}

function offsetLimit(
  form: Extract<LinesForm, { readonly form: 'offset-limit' }>,
  input: unknown,
): LineRange | undefined {
  const offset = numberIn(input, form.offset);
  const limit = numberIn(input, form.limit) ?? form.defaultLimit;
  if (offset === undefined && limit === undefined) return undefined;
  const first = Math.max(1, offset ?? 1);
  return { first, last: limit === undefined ? wholeFile.last : first + limit - 1 };
}

function rangeOf(first: number | undefined, last: number | undefined): LineRange | undefined {
  if (first === undefined && last === undefined) return undefined;
  return { first: Math.max(1, first ?? 1), last: last ?? wholeFile.last };
}

function numberIn(input: unknown, name: string): number | undefined {
  return numberOf(member(input, name));
}

/** Models write numbers as text now and then. */
function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
