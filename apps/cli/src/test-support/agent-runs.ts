import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { delimiter, join } from 'node:path';
import { makeTestHome, type TestHome } from './run-bin.ts';

export const ended: (() => void)[] = [];

interface Provider {
  readonly url: string;
  readonly received: IncomingMessage[];
  readonly bodies: string[];
}

export async function provider(): Promise<Provider> {
  const received: IncomingMessage[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    received.push(request);
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      bodies.push(body);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"usage":{"input_tokens":1200,"output_tokens":5}}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ended.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${String(port)}`, received, bodies };
}

interface Place {
  readonly home: TestHome;
  readonly env: Readonly<Record<string, string>>;
  /** A folder that nothing but the run under test puts something into. */
  readonly temporary: string;
}

/** A home with a program `claude` that is this script of Node. */
export function withAgent(program: string, url: string): Place {
  const home = makeTestHome();
  ended.push(home.remove);
  const bin = join(home.folder, 'bin');
  const temporary = join(home.folder, 'tmp');
  for (const folder of [bin, temporary]) mkdirSync(folder);
  writeFileSync(join(bin, 'claude'), `#!${process.execPath}\n${program}\n`);
  chmodSync(join(bin, 'claude'), 0o755);
  const env = {
    PATH: [bin, process.env['PATH'] ?? ''].join(delimiter),
    ANTHROPIC_BASE_URL: url,
    TMPDIR: temporary,
  };
  return { home, env, temporary };
}
