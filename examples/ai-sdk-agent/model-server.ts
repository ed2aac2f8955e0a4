/** A chat service on this machine whose answers are a script: the SDK and its provider are real, and talk to it by HTTP. */
import { createServer, type IncomingMessage } from 'node:http';

/** The body of a request, as far as the example looks at it. */
export interface SentRequest {
  readonly model: string;
  readonly messages: readonly {
    readonly role: string;
    readonly tool_call_id?: string;
    readonly tool_calls?: readonly { readonly id: string }[];
  }[];
}

export interface ModelServer {
  readonly url: string;
  readonly requests: readonly SentRequest[];
  readonly close: () => Promise<void>;
}

/** Jobs that are run before the model reads back what it needs. */
export const jobs = 12;

const call = (id: string, name: string, input: object): object => ({
  ...{ id, type: 'function' },
  function: { name, arguments: JSON.stringify(input) },
});

/** Runs the jobs, reads back the line that the answer needs, answers. */
function answerOf(request: SentRequest, step: number): object {
  const id = `call-${String(step)}`;
  const says = (...calls: readonly object[]): object => ({ content: null, tool_calls: calls });
  if (step <= jobs) return says(call(id, 'run_job', { job: step }));
  if (step > jobs + 1) return { content: 'Job 1 fails at step 12345.' };
  const pointer = /ctx:\/\/outputs\/[\w-]+/.exec(JSON.stringify(request))?.[0] ?? '';
  return says(call(id, 'ctx_read_output', { pointer, pattern: 'ERROR' }));
}

function completionOf(request: SentRequest, step: number): object {
  const message = { role: 'assistant', ...answerOf(request, step) };
  const prompt = Math.ceil(JSON.stringify(request.messages).length / 4);
  return {
    ...{ id: `chat-${String(step)}`, object: 'chat.completion', created: 0, model: request.model },
    choices: [
      { index: 0, message, finish_reason: 'tool_calls' in message ? 'tool_calls' : 'stop' },
    ],
    usage: { prompt_tokens: prompt, completion_tokens: 20, total_tokens: prompt + 20 },
  };
}

async function bodyOf(request: IncomingMessage): Promise<SentRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as SentRequest;
}

/** Starts the service on a free port of this machine only. */
export async function startModelServer(): Promise<ModelServer> {
  const requests: SentRequest[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      requests.push(body);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(completionOf(body, requests.length)));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => {
        resolve();
      });
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${String(address.port)}/v1`, requests, close };
}
