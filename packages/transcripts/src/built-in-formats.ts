import { anthropicFormat } from './formats/anthropic.ts';
import type { TranscriptFormat } from './transcript.ts';

/** The formats of this package. */
export const builtInFormats: readonly TranscriptFormat[] = [anthropicFormat];
