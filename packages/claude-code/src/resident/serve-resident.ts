import { chmodSync, renameSync, statSync, unlinkSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { maxPathBytes, type ResidentCall, readAll, startsAlike } from './resident-call.ts';

/**
 * Answers a call, writing what goes to standard output. Gives whether nothing more is expected, so that the process may end.
 */
export type AnswerCall = (
  call: ResidentCall,
  write: (text: string) => Promise<void>,
) => Promise<boolean>;

/** Idle time after which the process ends, and how often it checks that its socket is still its own, ms. */
export interface Patience {
  readonly idleMs: number;
  readonly checkMs: number;
}

/** Which file a path names, told apart from another one at the same path. */
function fileAt(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found === undefined ? undefined : `${String(found.dev)}:${String(found.ino)}`;
}

async function answerOne(socket: Socket, answer: AnswerCall): Promise<boolean> {
  try {
    // Written by `ask` of the same version.
    const call = JSON.parse(await readAll(socket)) as ResidentCall;
    if (!startsAlike(call.env)) throw new Error('started with other variables');
    let output = '';
    const isLast = await answer(call, (text) => {
      output += text;
      return Promise.resolve();
    });
    socket.end(JSON.stringify({ output }));
    return isLast;
  } catch {
    // Who asked does the work itself.
    socket.destroy();
    return false;
  }
}

/** Makes a server at the path in one step: it takes the place of one that was killed, or that began at the same time. */
async function listenAt(server: Server, path: string): Promise<string | undefined> {
  const draft = `${path}.${String(process.pid)}`;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(draft, resolve);
  });
  chmodSync(draft, 0o600);
  const own = fileAt(draft);
  renameSync(draft, path);
  return own;
}

/** Serves until no request came for a while, a last answer was given, or the socket is gone or another's. */
export async function serveCalls(
  path: string,
  answer: AnswerCall,
  { idleMs, checkMs }: Patience,
): Promise<void> {
  if (Buffer.byteLength(path) > maxPathBytes) return;
  let open = 0;
  let endsAt = Date.now() + idleMs;
  const server = createServer({ allowHalfOpen: true });
  const own = await listenAt(server, path);
  await new Promise<void>((resolve) => {
    const timer = setInterval(endIfDone, checkMs);
    function endIfDone(): void {
      const isOwn = fileAt(path) === own;
      if (open > 0 || (isOwn && Date.now() < endsAt)) return;
      clearInterval(timer);
      if (isOwn) unlinkSync(path);
      server.close(() => {
        resolve();
      });
    }
    server.on('connection', (socket: Socket) => {
      open += 1;
      void answerOne(socket, answer).then((isLast) => {
        open -= 1;
        endsAt = isLast ? 0 : Date.now() + idleMs;
        if (isLast) endIfDone();
      });
    });
  });
}
