/** A program that hands each request on as it comes, and its answer back: what a process between two others costs on this machine. Says its port, then serves until it is ended. */
import { createServer, request } from 'node:http';
import { pipeline } from 'node:stream';

const upstream = new URL(process.argv[2] ?? '');

const server = createServer((asked, response) => {
  const { method, url: path, headers } = asked;
  const { hostname, port } = upstream;
  const passed = request({ hostname, port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    pipeline(answer, response, () => undefined);
  });
  pipeline(asked, passed, (error) => {
    if (error) response.destroy();
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${String(typeof address === 'object' ? address?.port : 0)}\n`);
});
