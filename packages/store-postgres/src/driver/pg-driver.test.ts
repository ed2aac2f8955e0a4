import { createServer, type Server } from 'node:net';
import { expect, test } from 'vitest';
import { pgDriver } from './pg-driver.ts';

/** A message of the protocol: its sign, its length, what it says. Source: https://www.postgresql.org/docs/current/protocol-message-formats.html */
function message(sign: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(sign), length, body]);
}

const welcome = Buffer.concat([
  message('R', Buffer.from([0, 0, 0, 0])),
  message('Z', Buffer.from('I')),
]);
const farewell = message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mgoing down\0\0'));

/** Lets everybody in and shows them out again, in one packet. */
function rudeServer(): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.concat([welcome, farewell])));
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' ? String(address?.port) : '';
      resolve({ server, url: `postgres://ctx@127.0.0.1:${port}/ctx` });
    });
  });
}

// A process ended here once: the error came before anybody could listen to the new connection.
test('a connection that ends as it begins fails its call, and does not end the process', async () => {
  const { server, url } = await rudeServer();
  const driver = pgDriver(url, { maxConnections: 1 });
  for (let count = 0; count < 3; count += 1) {
    const failed = driver.session((session) => session.query('SELECT 1'));
    await expect(failed).rejects.toThrow();
    await expect(driver.query('SELECT 1')).rejects.toThrow();
  }
  await driver.close();
  server.close();
});
