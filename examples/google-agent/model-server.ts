/** Stands in for Google's API: answers by a script and records each request. */

const call = (name: string, args: object): object => ({ functionCall: { name, args } });

/** Runs the job 12 times, reads back what it needs, answers. */
function partOf(request: string, step: number): object {
  if (step <= 12) return call('run_job', { job: step });
  const pointer = /ctx:\/\/outputs\/[\w-]+/.exec(request)?.[0] ?? '';
  if (step === 13) return call('ctx_read_output', { pointer, pattern: 'ERROR' });
  return { text: 'Job 1 fails at step 12345.' };
}

/** What the SDK is given as `fetch`: nothing leaves the process. */
export function modelServer(requests: string[]): typeof fetch {
  return async (_url, init) => {
    const request = typeof init?.body === 'string' ? init.body : '';
    requests.push(request);
    const tokens = Math.round(request.length / 4);
    const content = { role: 'model', parts: [partOf(request, requests.length)] };
    const response = {
      candidates: [{ index: 0, content, finishReason: 'STOP' }],
      usageMetadata: {
        ...{ promptTokenCount: tokens, candidatesTokenCount: 20 },
        totalTokenCount: tokens + 20,
      },
    };
    const headers = { 'content-type': 'application/json' };
    return new Response(JSON.stringify(response), { headers });
  };
}
