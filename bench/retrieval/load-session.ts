import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentOfOutput } from '@ctx/relevance';
import { pathOfArgs } from '@ctx/store';
import type { RelevanceDocument, RetrievalQuery, RetrievalSet } from './retrieval-set.ts';

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly content?: string | readonly Block[];
}

interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
}

interface SessionFile {
  readonly transcript: string;
  readonly docs: readonly { readonly id: string; readonly tool_use_id: string }[];
  readonly queries: readonly SessionQuery[];
}

interface SessionQuery {
  readonly id: string;
  readonly text: string;
  /** Documents of the set that were there. */
  readonly before: number;
  readonly relevant: readonly string[];
}

/** What a reader knows on its way through a transcript. */
interface Walk {
  readonly docIds: ReadonlyMap<string, string>;
  readonly calls: Map<string, Block>;
  readonly documents: RelevanceDocument[];
  readonly queries: RetrievalQuery[];
  readonly pending: SessionQuery[];
  turn: number;
  /** Documents of the set so far. */
  seen: number;
}

/**
 * Reads a set of session-reuse. Its documents are all outputs of the transcript in the order of the calls, because an index of a
 * session would hold them all; only those that the set lists are candidates.
 */
export function loadSession(dataFolder: string, name: string): RetrievalSet {
  const path = join(dataFolder, 'retrieval', 'session-reuse', `${name}.json`);
  const file = JSON.parse(readFileSync(path, 'utf8')) as SessionFile;
  const transcript = JSON.parse(readFileSync(join(dataFolder, file.transcript), 'utf8')) as {
    readonly messages: readonly Message[];
  };
  const walk: Walk = {
    docIds: new Map(file.docs.map((doc) => [doc.tool_use_id, doc.id])),
    calls: new Map(),
    documents: [],
    queries: [],
    pending: [...file.queries],
    turn: -1,
    seen: 0,
  };
  for (const message of transcript.messages) readMessage(message, walk);
  const [missing] = walk.pending;
  if (missing !== undefined) throw new Error(`${name}: the transcript lacks query ${missing.id}`);
  const listed = new Set(file.docs.map((doc) => doc.id));
  return {
    name,
    documents: walk.documents,
    queries: walk.queries,
    isCandidate: (id) => listed.has(id),
  };
}

function readMessage(message: Message, walk: Walk): void {
  const blocks = blocksOf(message);
  const prompt = textOf(blocks.filter((block) => block.type === 'text'));
  if (message.role === 'user' && prompt.trim() !== '') readPrompt(prompt, walk);
  for (const block of blocks) {
    if (block.type === 'tool_use') walk.calls.set(block.id ?? '', block);
    const call = block.type === 'tool_result' ? walk.calls.get(block.tool_use_id ?? '') : undefined;
    if (call !== undefined) readOutput(call, textOf(block.content), walk);
  }
}

function readPrompt(prompt: string, walk: Walk): void {
  walk.turn++;
  const [query] = walk.pending;
  if (query === undefined || query.before !== walk.seen || !prompt.includes(query.text)) return;
  walk.pending.shift();
  walk.queries.push({
    id: query.id,
    query: { text: query.text, turn: walk.turn, sequence: walk.documents.length },
    before: walk.documents.length,
    relevant: new Set(query.relevant),
  });
}

function readOutput(call: Block, body: string, walk: Walk): void {
  const docId = walk.docIds.get(call.id ?? '');
  const sequence = walk.documents.length;
  const path = pathOfArgs(call.input);
  const output = {
    id: docId ?? `unlisted-${sequence}`,
    toolName: call.name ?? '',
    args: call.input,
    sequence,
    ...(path === undefined ? {} : { path }),
  };
  walk.documents.push(documentOfOutput(output, { body, turn: walk.turn }));
  if (docId !== undefined) walk.seen++;
}

function blocksOf({ content }: Message): readonly Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function textOf(content: Block['content']): string {
  if (content === undefined) return '';
  if (typeof content === 'string') return content;
  return content.map((block) => block.text ?? '').join('\n');
}
