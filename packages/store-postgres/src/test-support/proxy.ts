import { connect, createServer, type Socket } from 'node:net';

/** Stands between a store and its server, and can cut or hold what goes through. */
export interface Proxy {
  readonly url: string;
  /** Connections that were made so far. */
  readonly opened: () => number;
  /** Ends all connections of now. */
  readonly cut: () => void;
  /** Lets nothing through any more on the connections of now, and does not say so. */
  readonly hold: () => void;
  readonly close: () => void;
}

/** The sign of the message that tells a client the number of its process. Source: PostgreSQL's protocol, BackendKeyData. */
const processSign = 0x4b;

/** Changes that number, as a pooler has numbers of its own. */
function hideProcess(bytes: Buffer): void {
  const at = bytes.indexOf(Buffer.from([processSign, 0, 0, 0, 12]));
  if (at >= 0) bytes.writeUInt32BE(1, at + 5);
}

/** Starts one before the server of a URL. `hidesProcesses`: gives connections numbers of its own. */
export async function startProxy(
  url: string,
  { hidesProcesses = false }: { readonly hidesProcesses?: boolean } = {},
): Promise<Proxy> {
  const target = new URL(url);
  const pairs = new Set<readonly [Socket, Socket]>();
  let opened = 0;
  const proxy = createServer((near) => {
    opened += 1;
    const far = connect(Number(target.port), target.hostname);
    const pair = [near, far] as const;
    pairs.add(pair);
    if (hidesProcesses) far.on('data', hideProcess);
    for (const [one, other] of [pair, [far, near] as const]) {
      one.pipe(other);
      one.on('error', () => undefined);
      one.on('close', () => {
        other.destroy();
        pairs.delete(pair);
      });
    }
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve);
  });
  const address = proxy.address();
  const through = new URL(url);
  through.port = String(typeof address === 'object' ? address?.port : '');
  return {
    url: through.href,
    opened: () => opened,
    cut: () => {
      for (const [near] of pairs) near.destroy();
    },
    hold: () => {
      for (const [near, far] of pairs) {
        near.unpipe(far);
        far.unpipe(near);
      }
    },
    close: () => {
      for (const [near] of pairs) near.destroy();
      proxy.close();
    },
  };
}
