/** A block of Anthropic's API. */
export type Block = Readonly<Record<string, unknown>>;

/** A message of Anthropic's API. */
export interface AnthropicMessage {
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: string | readonly Block[];
}

/** Text that no two calls share. */
export function fileText(name: string, lines: number): string {
  return Array.from(
    { length: lines },
    (_, line) =>
      `${String(line + 1)}\tconst ${name}_${String(line)} = compute(${String(line * 7)});`,
  ).join('\n');
}

const tools = [
  { name: 'Read', description: 'Reads a file', input_schema: { type: 'object' } },
  { name: 'Bash', description: 'Runs a command', input_schema: { type: 'object' } },
];

/** One step of an agent: a call of the model, and what the tool answered. */
export interface Step {
  readonly tool: 'Read' | 'Bash';
  readonly input: Block;
  readonly result: string | readonly Block[];
  readonly isError?: boolean;
  readonly thinking?: Block;
}

function messagesOfStep(step: Step, index: number): AnthropicMessage[] {
  const id = `toolu_${String(index)}`;
  const call = { type: 'tool_use', id, name: step.tool, input: step.input };
  const thinking = step.thinking === undefined ? [] : [step.thinking];
  const result = {
    type: 'tool_result',
    tool_use_id: id,
    content: step.result,
    ...(step.isError === true ? { is_error: true } : {}),
  };
  return [
    { role: 'assistant', content: [...thinking, call] },
    { role: 'user', content: [result] },
  ];
}

/** The messages of an agent after so many steps. */
export function messagesAfter(steps: readonly Step[], task = 'Do the chores.'): AnthropicMessage[] {
  return [{ role: 'user', content: task }, ...steps.flatMap(messagesOfStep)];
}

const mark = { cache_control: { type: 'ephemeral' } };

/** With the mark of Claude Code on the last block. */
function marked(messages: readonly AnthropicMessage[]): AnthropicMessage[] {
  return messages.map((message, index) => {
    if (index < messages.length - 1) return message;
    const { content } = message;
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    return {
      ...message,
      content: blocks.map((block, at) =>
        at === blocks.length - 1 ? { ...block, ...mark } : block,
      ),
    };
  });
}

/** The body of a request as Claude Code writes it. */
export function bodyOf(messages: readonly AnthropicMessage[], model = 'claude-sonnet-4-5'): string {
  return JSON.stringify({
    model,
    messages: marked(messages),
    system: [
      { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.197' },
      { type: 'text', text: 'You are an agent.', ...mark },
    ],
    tools,
    max_tokens: 32_000,
    stream: true,
  });
}

/** Steps that read, search and run, with more tokens than a window of 200,000 takes. */
export function longWork(steps: number): Step[] {
  return Array.from({ length: steps }, (_, index): Step => {
    if (index % 5 === 4) {
      const lines = Array.from(
        { length: 300 },
        (__, line) => `ok ${String(index)}.${String(line)} passed in ${String(line % 9)} ms`,
      );
      return {
        tool: 'Bash',
        input: { command: `npm test -- part${String(index)}` },
        result: lines.join('\n'),
      };
    }
    const name = `file${String(index % 12)}`;
    const range = index < 12 ? {} : { offset: 1 + index, limit: 200 };
    return {
      tool: 'Read',
      input: { file_path: `/project/src/${name}.ts`, ...range },
      result: fileText(`${name}_${String(index)}`, 220),
    };
  });
}
