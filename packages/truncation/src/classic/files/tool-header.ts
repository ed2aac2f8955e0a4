/** The line with which Cline begins a result that it sends as text. */
export interface ToolHeader {
  readonly toolName: string;
  readonly path: string;
  /** Index after the header and its line end. */
  readonly end: number;
}

/** Longest header that is read, characters. */
const maxHeader = 5000;
const separator = " for '";
const closing = "'] Result:";

/** Reads `[read_file for 'src/a.ts'] Result:` at the beginning of a text; `undefined` where there is none. Takes constant time. */
export function readToolHeader(text: string): ToolHeader | undefined {
  if (!text.startsWith('[')) return undefined;
  const start = text.slice(0, maxHeader);
  const nameEnd = start.indexOf(separator);
  const close = start.indexOf(closing, nameEnd);
  if (nameEnd < 0 || close < 0) return undefined;
  const toolName = start.slice(1, nameEnd);
  const path = start.slice(nameEnd + separator.length, close);
  if (!/^\w{1,64}$/.test(toolName) || path.includes('\n')) return undefined;
  const end = close + closing.length;
  const lineEnd = /\r?\n/y;
  lineEnd.lastIndex = end;
  return { toolName, path, end: lineEnd.test(text) ? lineEnd.lastIndex : end };
}
