import { isMcpTool } from './hook-answer.ts';

/** A tool's response, taken apart. */
export interface ResponseShape {
  /** What the model reads of it. */
  readonly text: string;
  /** The response with another text, in the shape that the tool has. The given response is not changed. */
  readonly withText: (text: string) => unknown;
}

type Members = Readonly<Record<string, unknown>>;

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** A copy without the members by which the host would show a copy of its own. */
function copied({ persistedOutputPath: _path, persistedOutputSize: _size, ...rest }: Members) {
  return rest;
}

/** A shape whose text is one member. */
function memberShape(response: Members, name: string): ResponseShape | undefined {
  const text = response[name];
  if (typeof text !== 'string') return undefined;
  return { text, withText: (other) => ({ ...copied(response), [name]: other }) };
}

function joinedOutput(stdout: string, stderr: string): string {
  if (stderr === '') return stdout;
  return stdout === '' || stdout.endsWith('\n') ? stdout + stderr : `${stdout}\n${stderr}`;
}

function bashShape(response: Members): ResponseShape | undefined {
  const { stdout, stderr, isImage } = response;
  if (typeof stdout !== 'string' || typeof stderr !== 'string' || isImage === true)
    return undefined;
  return {
    text: joinedOutput(stdout, stderr),
    withText: (text) => ({ ...copied(response), stdout: text, stderr: '' }),
  };
}

function readShape(response: Members): ResponseShape | undefined {
  const { type, file } = response;
  if (type !== 'text' || !isMembers(file) || typeof file['content'] !== 'string') return undefined;
  return {
    text: file['content'],
    withText: (content) => ({ ...copied(response), file: { ...file, content } }),
  };
}

function namesShape(response: Members): ResponseShape | undefined {
  const { filenames } = response;
  if (!isTexts(filenames)) return undefined;
  return {
    text: filenames.join('\n'),
    withText: (text) => ({ ...copied(response), filenames: text.split('\n') }),
  };
}

function grepShape(response: Members): ResponseShape | undefined {
  const { content } = response;
  if (typeof content === 'string' && content !== '') return memberShape(response, 'content');
  return namesShape(response);
}

interface TextBlock extends Members {
  readonly type: 'text';
  readonly text: string;
}

function isTextBlock(block: unknown): block is TextBlock {
  return isMembers(block) && block['type'] === 'text' && typeof block['text'] === 'string';
}

/** Blocks of an MCP tool: the first text says it, the other texts go; images and the rest stay where they are. */
function blocksShape(blocks: readonly unknown[]): ResponseShape | undefined {
  const texts = blocks.filter(isTextBlock);
  const [first] = texts;
  if (first === undefined) return undefined;
  return {
    text: texts.map(({ text }) => text).join('\n'),
    withText: (text) =>
      blocks.flatMap((block) => {
        if (block === first) return [{ ...first, text }];
        return isTextBlock(block) ? [] : [block];
      }),
  };
}

/** Blocks in a member, as tools of MCP servers and sub-agents answer. */
function contentShape(response: Members): ResponseShape | undefined {
  const { content } = response;
  const inner = Array.isArray(content) ? blocksShape(content) : undefined;
  if (inner === undefined) return undefined;
  const { text, withText } = inner;
  return { text, withText: (other) => ({ ...copied(response), content: withText(other) }) };
}

function mcpShape(response: unknown): ResponseShape | undefined {
  if (Array.isArray(response)) return blocksShape(response);
  // A client refuses a result that lost the structured content its tool promises.
  if (!isMembers(response) || response['structuredContent'] !== undefined) return undefined;
  return contentShape(response);
}

/** What a search said, and the links that it found. */
function searchShape(response: Members): ResponseShape | undefined {
  const { results } = response;
  if (!Array.isArray(results) || results.length === 0) return undefined;
  const texts = results.map((result: unknown) => {
    if (typeof result === 'string') return result;
    return isMembers(result) ? `Links: ${JSON.stringify(result['content'] ?? result)}` : undefined;
  });
  if (!isTexts(texts)) return undefined;
  return {
    text: texts.join('\n'),
    withText: (text) => ({ ...copied(response), results: [text] }),
  };
}

/** The output of a task in the background. */
function taskShape(response: Members): ResponseShape | undefined {
  const { task } = response;
  const inner = isMembers(task) ? memberShape(task, 'output') : undefined;
  if (inner === undefined) return undefined;
  const { text, withText } = inner;
  return { text, withText: (other) => ({ ...copied(response), task: withText(other) }) };
}

const shapes: ReadonlyMap<string, (response: Members) => ResponseShape | undefined> = new Map([
  ['Agent', contentShape],
  ['Bash', bashShape],
  ['BashOutput', bashShape],
  ['Read', readShape],
  ['Grep', grepShape],
  ['Glob', namesShape],
  ['Task', contentShape],
  ['TaskOutput', taskShape],
  ['WebSearch', searchShape],
  ['WebFetch', (response: Members) => memberShape(response, 'result')],
]);

/**
 * Takes the response of a tool of Claude Code apart. A plain text is what a tool's error is, and stays one. `undefined` for a shape that
 * is not known: nothing may take its place then, since an output of another shape than the tool's own is dropped.
 * Pure. `withText(text)` of the same text reads the same.
 */
export function shapeOfResponse(toolName: string, response: unknown): ResponseShape | undefined {
  if (typeof response === 'string') return { text: response, withText: (text) => text };
  if (isMcpTool(toolName)) return mcpShape(response);
  return isMembers(response) ? shapes.get(toolName)?.(response) : undefined;
}
