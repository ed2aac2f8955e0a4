import type { ContentBlock, Message, ResultBlock } from '@ctx/core';
import type { TranscriptEvent } from '../../transcript.ts';

/** The tools that Cline and Roo let models call in XML. Source: their system prompts of 2024 and 2025. */
const toolNames: ReadonlySet<string> = new Set(
  (
    'access_mcp_resource apply_diff ask_followup_question attempt_completion browser_action codebase_search ' +
    'execute_command fetch_instructions insert_content list_code_definition_names list_files new_rule new_task ' +
    'plan_mode_respond read_file replace_in_file search_and_replace search_files switch_mode update_todo_list ' +
    'use_mcp_tool web_fetch write_to_file'
  ).split(' '),
);

/** A call as it stands in a text: from `start` up to, not including, `end`. */
interface XmlCall {
  readonly name: string;
  readonly input: Readonly<Record<string, string>>;
  readonly start: number;
  readonly end: number;
}

/** Longest tag, signs. */
const maxTag = 60;

/** Most tags that are looked at within a call. */
const maxTags = 100;

/** The tag that begins at `at`, if it is `<name>`. */
function tagAt(text: string, at: number): string | undefined {
  const begun = text.slice(at + 1, at + maxTag);
  const name = begun.slice(0, Math.max(0, begun.indexOf('>')));
  return /^[a-z][a-z0-9_]*$/.test(name) ? name : undefined;
}

/** A value, without the line breaks around it. */
function valueOf(text: string): string {
  return text.startsWith('\n') && text.endsWith('\n') ? text.slice(1, -1) : text;
}

/** The parameters of a call: the last closing tag counts, since a value may hold anything. Looks at the text at most 100 times. */
function inputOf(body: string): Record<string, string> {
  const input: Record<string, string> = {};
  let tags = 0;
  let at = body.indexOf('<');
  while (at !== -1 && tags < maxTags) {
    const name = tagAt(body, at);
    let next = at + 1;
    if (name !== undefined) {
      tags += 1;
      const from = at + name.length + 2;
      const end = body.lastIndexOf(`</${name}>`);
      if (end >= from) {
        input[name] = valueOf(body.slice(from, end));
        next = end + name.length + 3;
      }
    }
    at = body.indexOf('<', next);
  }
  return input;
}

/** The first call of a text: Cline lets a model make one at a time. Takes linear time. */
function callIn(text: string): XmlCall | undefined {
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    const name = tagAt(text, at);
    if (name === undefined || !toolNames.has(name)) continue;
    const from = at + name.length + 2;
    const close = `</${name}>`;
    const end = text.lastIndexOf(close);
    if (end < from) return undefined;
    return { name, input: inputOf(text.slice(from, end)), start: at, end: end + close.length };
  }
  return undefined;
}

/** What a user's message holds of the result of a call. */
interface FoundResult {
  readonly result: readonly ResultBlock[];
  readonly rest: readonly ContentBlock[];
}

/** `[read_file for 'a.ts'] Result:`, with the result after it or in the blocks that follow, up to the details of the editor. */
function resultIn({ content }: Message, name: string): FoundResult | undefined {
  const at = content.findIndex(
    (block) =>
      block.type === 'text' &&
      block.text.startsWith(`[${name}`) &&
      block.text.includes('] Result:'),
  );
  const head = content[at];
  if (head?.type !== 'text') return undefined;
  const behind = head.text.slice(head.text.indexOf('] Result:') + '] Result:'.length).trimStart();
  const isDetail = (block: ContentBlock): boolean =>
    block.type === 'text' && block.text.startsWith('<environment_details>');
  const found = content.findIndex((block, index) => index > at && isDetail(block));
  const until = found === -1 ? content.length : found;
  const following = content
    .slice(at + 1, until)
    .filter((block): block is ResultBlock => block.type === 'text' || block.type === 'opaque');
  const result: ResultBlock[] = behind === '' ? [] : [{ type: 'text', text: behind }];
  return {
    result: [...result, ...following],
    rest: [...content.slice(0, at), ...content.slice(until)],
  };
}

/** A text that holds a call: where it stands in its message. */
interface PlacedCall {
  readonly index: number;
  readonly text: string;
  readonly call: XmlCall;
}

function callOf({ content }: Message): PlacedCall | undefined {
  const index = content.findLastIndex(({ type }) => type === 'text');
  const block = content[index];
  const call = block?.type === 'text' ? callIn(block.text) : undefined;
  return block?.type === 'text' && call !== undefined
    ? { index, text: block.text, call }
    : undefined;
}

/** The message with the call in place of its XML. */
function withCall(message: Message, { index, text, call }: PlacedCall, id: string): Message {
  const around = [text.slice(0, call.start), text.slice(call.end)].map((part) => part.trim());
  const texts = around.flatMap((part): ContentBlock[] =>
    part === '' ? [] : [{ type: 'text', text: part }],
  );
  const use = { type: 'tool_use', id, name: call.name, input: call.input } as const;
  const { content } = message;
  return {
    ...message,
    content: [...content.slice(0, index), ...texts, use, ...content.slice(index + 1)],
  };
}

/** The two messages of a pair, where the second answers a call of the first. */
function paired(
  message: Message,
  next: Message,
  id: string,
): readonly [Message, Message] | undefined {
  if (message.role !== 'assistant' || next.role !== 'user') return undefined;
  const placed = callOf(message);
  const found = placed && resultIn(next, placed.call.name);
  if (placed === undefined || found === undefined) return undefined;
  const answer = { type: 'tool_result', toolUseId: id, content: found.result } as const;
  return [withCall(message, placed, id), { ...next, content: [answer, ...found.rest] }];
}

/**
 * Turns calls that old tasks of Cline and Roo wrote as XML into pairs with made-up ids. What the model wrote after a call stands
 * before it.
 * Pure; a call that the next message does not answer stays text. Give it a view: indices of the file no longer fit then.
 */
export function pairXmlTools(events: readonly TranscriptEvent[]): TranscriptEvent[] {
  const done = [...events];
  for (const [index, event] of done.entries()) {
    const next = done[index + 1];
    if (event.message === undefined || next?.message === undefined) continue;
    const pair = paired(event.message, next.message, `xml-${event.id ?? String(event.seq)}`);
    if (pair === undefined) continue;
    done[index] = { ...event, message: pair[0] };
    done[index + 1] = { ...next, message: pair[1] };
  }
  return done;
}
