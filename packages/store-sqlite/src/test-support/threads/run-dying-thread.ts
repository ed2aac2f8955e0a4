import { parentPort } from 'node:worker_threads';
import '../../thread/write-thread.ts';

/** A thread that dies of its first call. */
parentPort?.once('message', () => process.exit(1));
