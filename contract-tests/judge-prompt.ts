/** A message of a prompt as the AI SDK and Mastra hand it to a model, as far as the tests look at it. */
export interface PromptMessage {
  readonly role: string;
  readonly content: string | readonly { readonly type: string; readonly toolCallId?: string }[];
}

export type Prompt = readonly PromptMessage[];

/** A prompt as a provider is sent it: hosts note in its options when a message was made, which no provider hears of. */
export function textOfPrompt(prompt: unknown): string {
  return JSON.stringify(prompt, (name, value: unknown) =>
    name === 'providerOptions' ? undefined : value,
  );
}

/** What a provider would count, about. */
export function tokensOfPrompt(prompt: unknown): number {
  return Math.round(textOfPrompt(prompt).length / 4);
}

function idsOf({ content }: PromptMessage, type: string): string[] {
  if (typeof content === 'string') return [];
  return content.flatMap((part) =>
    part.type === type && part.toolCallId !== undefined ? [part.toolCallId] : [],
  );
}

/** What a provider would refuse in a prompt; empty where it takes it. */
export function problemsOfPrompt(prompt: Prompt): readonly string[] {
  const problems: string[] = [];
  const open = new Set<string>();
  for (const message of prompt) {
    for (const id of idsOf(message, 'tool-result')) {
      if (!open.delete(id)) problems.push(`a result of ${id} without its call before it`);
    }
    if (message.role !== 'tool' && open.size > 0) problems.push(`no result of ${[...open].join()}`);
    for (const id of idsOf(message, 'tool-call')) open.add(id);
  }
  if (open.size > 0) problems.push(`no result of ${[...open].join()}`);
  return problems;
}
