/** A script in the place of Anthropic's API: what the model asks for, and a look at what it is sent. */

/** The body of a request, as far as the example looks at it. */
export interface SentRequest {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

type Block = Readonly<Record<string, unknown>>;

const call = (id: string, name: string, input: unknown): Block => ({
  ...{ type: 'tool_use', id, name },
  input,
});

/** The first address that stands in a request. */
function addressIn(request: SentRequest): string {
  return /ctx:\/\/outputs\/[\w-]+/.exec(JSON.stringify(request))?.[0] ?? '';
}

/** Runs the job 12 times, keeps what it learned, reads back what it needs, answers. */
function contentOf(request: SentRequest, step: number): readonly Block[] {
  const id = `call-${String(step)}`;
  if (step <= 12) return [call(id, 'run_job', { job: step })];
  if (step === 13) {
    const file_text = 'Job 1 fails at step 12345.\n';
    return [call(id, 'memory', { command: 'create', path: '/memories/jobs.md', file_text })];
  }
  if (step === 14) {
    return [call(id, 'ctx_read_output', { pointer: addressIn(request), pattern: 'ERROR' })];
  }
  return [{ type: 'text', text: 'Job 1 fails at step 12345.' }];
}

/** What the SDK is given as `fetch`: nothing leaves the process. */
export function modelServer(requests: SentRequest[]): typeof fetch {
  return async (_url, init) => {
    const request = JSON.parse(typeof init?.body === 'string' ? init.body : '') as SentRequest;
    requests.push(request);
    const content = contentOf(request, requests.length);
    const isCall = content[0]?.['type'] === 'tool_use';
    const message = {
      id: `msg_${String(requests.length)}`,
      ...{ type: 'message', role: 'assistant', model: 'claude-opus-5' },
      content,
      stop_reason: isCall ? 'tool_use' : 'end_turn',
      usage: { input_tokens: JSON.stringify(request).length / 4, output_tokens: 20 },
    };
    const headers = { 'content-type': 'application/json' };
    return new Response(JSON.stringify(message), { headers });
  };
}
