import { CtxError } from '@ctx/core';
import { readPlain } from '@ctx/transcripts/import';
import { type LoggedRequest, parseJson, requestOf } from './logged-request.ts';

/** A request with the place that it was read from. */
export interface FileRequest extends LoggedRequest {
  /** Line in the file, from 1; left out where the file is one document. */
  readonly line?: number;
}

/** Largest document that is not a request a line, characters. */
const maxDocument = 512 * 1024 * 1024;

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  // A line may be as long as the file: its parts are joined once.
  let open: string[] = [];
  for await (const chunk of chunks) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    open.push(first);
    for (const next of others) {
      yield open.join('');
      open = [next];
    }
  }
  yield open.join('') + decoder.decode();
}

/** Whether a text begins as JSON does and ends before it is closed. */
function isCutOff(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  let depth = 0;
  let isQuoted = false;
  for (const [sign] of text.matchAll(/\\.|["[\]{}]/gs)) {
    if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && sign.length === 1) depth += '[{'.includes(sign) ? 1 : -1;
  }
  return isQuoted || depth > 0;
}

function whatIsWrong(text: string, bytes: number, otherwise: string): string {
  return isCutOff(text) ? `is cut off at byte ${String(bytes)}` : otherwise;
}

/** What the file holds as one document: a request, or a list of them. */
function wholeDocument(text: string, bytes: number, name: string): LoggedRequest[] {
  const parsed = parseJson(text);
  if (parsed === undefined) {
    const what = whatIsWrong(text, bytes, 'holds neither JSON nor JSON line by line');
    throw new CtxError('CTX_INVALID_FILE', `${name} ${what}`);
  }
  const { value } = parsed;
  return Array.isArray(value) ? value.map(requestOf) : [requestOf(value)];
}

/** The request that a line is; `undefined` for a line that is not a JSON object of its own. */
function requestOfLine(text: string): LoggedRequest | undefined {
  const parsed = parseJson(text);
  return parsed === undefined || Array.isArray(parsed.value) ? undefined : requestOf(parsed.value);
}

async function* requestsIn(
  lines: AsyncIterable<string>,
  name: string,
): AsyncGenerator<FileRequest> {
  let whole = '';
  let line = 0;
  let found = 0;
  // Where the line ends.
  let bytes = -1;
  for await (const text of lines) {
    line += 1;
    bytes += Buffer.byteLength(text) + 1;
    if (text.trim() === '') continue;
    const request = whole === '' ? requestOfLine(text) : undefined;
    if (request !== undefined) {
      found += 1;
      yield { ...request, line };
    } else if (found > 0) {
      const what = whatIsWrong(text, bytes, 'is no JSON');
      throw new CtxError('CTX_INVALID_FILE', `${name}:${String(line)} ${what}`);
    } else whole += `${text}\n`;
    if (whole.length > maxDocument) throw new CtxError('CTX_TOO_LARGE', `${name} is too large`);
  }
  if (whole !== '') yield* wholeDocument(whole, bytes, name);
}

/**
 * Lends the requests of a file to `take`, in order: one a line (JSONL, as `ctx replay --requests-out` and proxies write them),
 * or a JSON document with one request or a list. Around a body there may be `body` or `request`, with `time` or `timestamp`,
 * `headers`, `url` and `agent`. Holds one line in memory.
 * @throws `CTX_INVALID_INPUT` naming the file, and the codes of the file.
 */
export async function readRequestLog(
  path: string,
  name: string,
  take: (request: FileRequest) => void,
): Promise<void> {
  for await (const request of requestsIn(linesOf(readPlain(path)), name)) take(request);
}
