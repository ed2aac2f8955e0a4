/** A provider on loopback and its client, on a thread of their own as in life: the proxy does not wait for them, nor they for it. */
import { createServer } from 'node:http';
import { parentPort } from 'node:worker_threads';

/** A request that the client makes. */
export interface AskedRequest {
  /** Default: the provider itself. */
  readonly base?: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const events = [
  { type: 'message_start', message: { usage: { input_tokens: 10, output_tokens: 1 } } },
  { type: 'message_stop' },
];

/** What the provider answers. */
export const answerText = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

/** Time to the first byte of the answer, ms. */
async function ask(base: string, { body, headers }: AskedRequest): Promise<number> {
  const start = performance.now();
  const answer = await fetch(`${base}/v1/messages`, { method: 'POST', body, headers });
  const reader = answer.body?.getReader();
  await reader?.read();
  const time = performance.now() - start;
  while (reader !== undefined && !(await reader.read()).done);
  return time;
}

if (parentPort !== null) {
  const port = parentPort;
  const provider = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(answerText);
    });
  });
  provider.listen(0, '127.0.0.1', () => {
    const address = provider.address();
    const direct = `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : 0)}`;
    port.postMessage(direct);
    port.on('message', (asked: AskedRequest) => {
      void ask(asked.base ?? direct, asked).then((time) => {
        port.postMessage(time);
      });
    });
  });
}
