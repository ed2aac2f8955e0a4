import type { Socket } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { App } from '../app.ts';

/**
 * Ends connections on which nothing ever came when the server closes. Clients open such ones ahead, and Node's server waits for their
 * first request as long as a request may take.
 * Costs a place in a set for each connection.
 */
export function closeUnusedConnections(app: App): void {
  const open = new Set<Socket>();
  app.server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
    });
  });
  app.addHook('preClose', async () => {
    // What has come by now is read first: between a timer and what comes after it the loop looks at the network.
    await setTimeout(0);
    await setImmediate();
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  });
}
