import { createGzip } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { opened, post, start } from '../test-support/proxied-place.ts';
import { bodyOf, messagesAfter } from '../test-support/scripted-agent.ts';

afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

it.each(['identity', 'gzip'])(
  'a slow stream reaches the client as it comes, encoded as %s',
  async (coding) => {
    let goOn: () => void = () => undefined;
    const isSeen = new Promise<void>((resolve) => (goOn = resolve));
    const { listening } = await start((_received, response) => {
      response.writeHead(200, {
        'content-type': 'text/event-stream',
        'content-encoding': coding,
      });
      const gzip = createGzip();
      if (coding === 'gzip') gzip.pipe(response);
      const to = coding === 'gzip' ? gzip : response;
      to.write('event: ping\ndata: {}\n\n');
      if (coding === 'gzip') gzip.flush();
      // The rest comes once the client has the first event.
      void isSeen.then(() => to.end('data: {"usage":{"input_tokens":7,"output_tokens":1}}\n\n'));
    });
    const answer = await post(listening.base, bodyOf(messagesAfter([])));
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe('event: ping\ndata: {}\n\n');
    goOn();
    expect((await reader?.read())?.value).toContain('usage');
    await reader?.cancel();
    await listening.proxy.close();
  },
);
