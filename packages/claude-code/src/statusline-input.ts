import * as z from 'zod';

/** What Claude Code tells its status line. Every member may be missing. */
export interface StatuslineInput {
  readonly sessionId?: string;
  readonly model?: string;
  readonly usedTokens?: number;
  readonly windowTokens?: number;
  readonly costUsd?: number;
}

const count = z.number().min(0);
const usage = z.object({
  input_tokens: count.catch(0),
  cache_creation_input_tokens: count.catch(0),
  cache_read_input_tokens: count.catch(0),
  output_tokens: count.catch(0),
});

const schema = z.object({
  session_id: z.string().min(1).optional().catch(undefined),
  model: z.object({ id: z.string() }).optional().catch(undefined),
  cost: z.object({ total_cost_usd: count }).optional().catch(undefined),
  context_window: z
    .object({
      context_window_size: count.optional().catch(undefined),
      used_percentage: count.nullish().catch(undefined),
      current_usage: usage.nullish().catch(undefined),
    })
    .optional()
    .catch(undefined),
});

type Window = NonNullable<z.infer<typeof schema>['context_window']>;

function usedIn({ current_usage: now, context_window_size: size, used_percentage: share }: Window) {
  if (now !== undefined && now !== null) {
    const written = now.cache_creation_input_tokens + now.cache_read_input_tokens;
    return now.input_tokens + written + now.output_tokens;
  }
  const isKnown = share !== undefined && share !== null && size !== undefined;
  return isKnown ? Math.round((share / 100) * size) : undefined;
}

function given<Value>(name: string, value: Value | undefined): Record<string, Value> {
  return value === undefined ? {} : { [name]: value };
}

/** Reads the input of a status line; empty where it is none. Never throws: a line with less in it is better than none. */
export function readStatuslineInput(text: string): StatuslineInput {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return {};
  }
  const { data } = schema.safeParse(value);
  if (data === undefined) return {};
  const { context_window: window = {} } = data;
  return {
    ...given('sessionId', data.session_id),
    ...given('model', data.model?.id),
    ...given('usedTokens', usedIn(window)),
    ...given('windowTokens', window.context_window_size),
    ...given('costUsd', data.cost?.total_cost_usd),
  };
}
