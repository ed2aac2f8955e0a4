import { bytesOf } from './text-source.ts';

type Line = Readonly<Record<string, unknown>>;

/** A line of a Claude Code file: `id` and `parent` as they come, all else by default. */
function line(type: string, id: string, parent: string | null, rest: Line): Line {
  return {
    parentUuid: parent,
    isSidechain: false,
    cwd: String.raw`C:\work\shop`,
    sessionId: 'S',
    version: '2.1.0',
    type,
    uuid: id,
    timestamp: `2026-02-03T04:05:${String(id.length % 60).padStart(2, '0')}.000Z`,
    ...rest,
  };
}

/** A user line. */
export function userLine(
  id: string,
  parent: string | null,
  content: unknown,
  rest: Line = {},
): Line {
  return line('user', id, parent, { message: { role: 'user', content }, ...rest });
}

/** A line with the result of a call. */
export function resultLine(
  id: string,
  parent: string | null,
  callId: string,
  rest: Line = {},
): Line {
  const content = [{ tool_use_id: callId, type: 'tool_result', content: `result of ${callId}` }];
  return userLine(id, parent, content, { toolUseResult: { stdout: 'much more' }, ...rest });
}

/** A line with one block of the response `messageId`. */
export function assistantLine(
  id: string,
  parent: string | null,
  response: Line,
  rest: Line = {},
): Line {
  const message = {
    model: 'm-1',
    type: 'message',
    role: 'assistant',
    stop_reason: null,
    ...response,
  };
  return line('assistant', id, parent, { requestId: 'req', message, ...rest });
}

/** A call as the content of a response. */
export function callBlock(id: string): Line {
  return { type: 'tool_use', id, name: 'Bash', input: { command: id } };
}

/** A text as the content of a response. */
export function textBlock(text: string): Line {
  return { type: 'text', text };
}

/** A system line that ends a context. */
export function boundaryLine(id: string, logicalParent: string, metadata: Line): Line {
  return line('system', id, null, {
    subtype: 'compact_boundary',
    logicalParentUuid: logicalParent,
    compactMetadata: metadata,
  });
}

/** A line of another type. */
export function otherLine(type: string, id: string, parent: string | null, rest: Line = {}): Line {
  return line(type, id, parent, rest);
}

/** A file of lines. */
export function fileOf(lines: readonly Line[]): Uint8Array {
  return bytesOf(lines.map((item) => `${JSON.stringify(item)}\n`).join(''));
}
