import { parentPort, workerData } from 'node:worker_threads';
import { approximateTokens } from '@ctx/tokens/approximate';
import type { ReadTask } from '@ctx/transcripts/import';
import { serveReading } from '@ctx/transcripts/import';

/** The program of a thread that reads a transcript. */
if (parentPort !== null) {
  await serveReading(parentPort, workerData as ReadTask, async (count) =>
    count === 'approximate' ? approximateTokens : (await import('@ctx/tokens')).tokenCounterFor(),
  );
}
