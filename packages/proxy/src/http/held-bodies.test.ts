import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, it } from 'vitest';
import { headers, opened, start } from '../test-support/proxied-place.ts';
import { bodyOf, messagesAfter, type Step } from '../test-support/scripted-agent.ts';

afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void; // The flag makes it.

const megabytes = 1;

async function heldBytes(): Promise<number> {
  for (let count = 0; count < 3; count += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  return process.memoryUsage().arrayBuffers;
}

it('no body is held while its answer streams, but those of the last three requests', async () => {
  const { listening } = await start((_received, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: ping\n\n');
  });
  const ask = async (conversation: number): Promise<IncomingMessage> => {
    const result = `${String(conversation)} `.repeat((megabytes * 2 ** 20) / 3);
    const step: Step = { tool: 'Bash', input: { command: 'make' }, result };
    const more = { ...headers, 'x-claude-code-session-id': `s${String(conversation)}` };
    const asked = request(`${listening.base}/v1/messages`, { method: 'POST', headers: more });
    asked.end(Buffer.from(bodyOf(messagesAfter([step]))));
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return answer;
  };
  const before = await heldBytes();
  const streams: IncomingMessage[] = [];
  for (let conversation = 10; conversation < 22; conversation += 1) {
    streams.push(await ask(conversation));
  }
  const held = (await heldBytes()) - before;
  for (const stream of streams) stream.destroy();
  expect(held).toBeLessThan(4 * megabytes * 2 ** 20);
});
