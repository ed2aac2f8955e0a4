import { approximateTokens } from '@ctx/tokens/approximate';
import { serveReading } from '@ctx/transcripts/import';

/** The program of a thread that reads a transcript. */
await serveReading(async (count) =>
  count === 'approximate' ? approximateTokens : (await import('@ctx/tokens')).tokenCounterFor(),
);
