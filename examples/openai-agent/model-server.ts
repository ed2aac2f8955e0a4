/** Stands in for OpenAI's API: answers by a script and records each request. */

const call = (id: string, name: string, input: object): object => ({
  ...{ type: 'function_call', id: `fc_${id}`, call_id: id, name, status: 'completed' },
  arguments: JSON.stringify(input),
});

/** Runs the job 12 times, reads back what it needs, answers. */
function outputOf(request: string, step: number): object {
  const id = `call-${String(step)}`;
  if (step <= 12) return call(id, 'run_job', { job: step });
  const pointer = /ctx:\/\/outputs\/[\w-]+/.exec(request)?.[0] ?? '';
  if (step === 13) return call(id, 'ctx_read_output', { pointer, pattern: 'ERROR' });
  const content = [{ type: 'output_text', text: 'Job 1 fails at step 12345.', annotations: [] }];
  return { type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed', content };
}

/** What the SDK is given as `fetch`: nothing leaves the process. */
export function modelServer(requests: string[]): typeof fetch {
  return async (_url, init) => {
    const request = typeof init?.body === 'string' ? init.body : '';
    requests.push(request);
    const tokens = Math.round(request.length / 4);
    const response = {
      ...{ id: `resp_${String(requests.length)}`, object: 'response', created_at: 1 },
      ...{ model: 'gpt-5.2', status: 'completed' },
      output: [outputOf(request, requests.length)],
      usage: { input_tokens: tokens, output_tokens: 20, total_tokens: tokens + 20 },
    };
    const headers = { 'content-type': 'application/json' };
    return new Response(JSON.stringify(response), { headers });
  };
}
