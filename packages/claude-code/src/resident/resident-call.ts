import type { Socket } from 'node:net';

/** A command line that a process which stays answers in place of the one that was started for it. */
export interface ResidentCall {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What stands on standard input. */
  readonly input: string;
}

/** Longest path of a socket, bytes: macOS takes 104 with the zero at the end, and the process number is added for a moment. */
export const maxPathBytes = 95;

/** Variables that are read when a process starts; all others are handed on with each call. */
const ofStart = [
  ...['HOME', 'TMPDIR', 'NODE_OPTIONS'],
  ...['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'],
];

/** Whether a process that was started with these variables finds the same folders as this one. */
export function startsAlike(env: ResidentCall['env']): boolean {
  return ofStart.every((name) => env[name] === process.env[name]);
}

/** Reads to the end of what the other side sends. */
export function readAll(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', () => {
      resolve(Buffer.concat(chunks).toString('utf8'));
    });
    socket.on('error', reject);
    socket.on('close', () => {
      reject(new Error('closed'));
    });
  });
}
