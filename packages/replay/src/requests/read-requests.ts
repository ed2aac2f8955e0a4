import { CtxError } from '@ctx/core';
import { withFile } from '@ctx/transcripts/import';
import type { LoggedRequest } from '@ctx/truncation/cost';
import { parseJson, requestOf } from './logged-request.ts';

/** A request with the place that it was read from. */
export interface FileRequest extends LoggedRequest {
  /** Line in the file, from 1; left out where the file is one document. */
  readonly line?: number;
}

/** Largest document that is not a request a line, characters. */
const maxDocument = 512 * 1024 * 1024;

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let open = '';
  for await (const chunk of chunks) {
    const lines = (open + decoder.decode(chunk, { stream: true })).split('\n');
    open = lines.pop() ?? '';
    yield* lines;
  }
  yield open + decoder.decode();
}

/** What the file holds as one document: a request, or a list of them. */
function wholeDocument(text: string, name: string): LoggedRequest[] {
  const parsed = parseJson(text);
  if (parsed === undefined) {
    throw new CtxError('CTX_INVALID_FILE', `${name} holds neither JSON nor JSON line by line`);
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
  for await (const text of lines) {
    line += 1;
    if (text.trim() === '') continue;
    const request = whole === '' ? requestOfLine(text) : undefined;
    if (request !== undefined) {
      found += 1;
      yield { ...request, line };
    } else if (found > 0) {
      throw new CtxError('CTX_INVALID_FILE', `${name}:${String(line)} is no JSON`);
    } else whole += `${text}\n`;
    if (whole.length > maxDocument) throw new CtxError('CTX_TOO_LARGE', `${name} is too large`);
  }
  if (whole !== '') yield* wholeDocument(whole, name);
}

/**
 * Lends the requests of a file to `take`, in order: one a line (JSONL, as `ctx replay --requests-out` and proxies write them),
 * or a JSON document with one request or a list. Around a body there may be `body` or `request`, with `time` or `timestamp`,
 * `headers`, `url` and `agent`.
 * Throws: `CTX_INVALID_INPUT` naming the file, and the codes of the file. Cost: memory of one line.
 */
export async function readRequests(
  path: string,
  name: string,
  take: (request: FileRequest) => void,
): Promise<void> {
  await withFile(path, async ({ chunks }) => {
    for await (const request of requestsIn(linesOf(chunks), name)) take(request);
  });
}
