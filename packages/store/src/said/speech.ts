import { isRecordLine } from './record-line.ts';
import { ownBlocks } from './rules-block.ts';
import { sentencesOf } from './sentences.ts';
import { spokenText, withoutReminders } from './spoken-text.ts';
import { isHostMessage, typedText, withoutCode } from './typed-text.ts';

/** Tells what a person said in a message from what a host, a program or a document put there. */
export const speech = {
  typedText,
  spokenText,
  sentencesOf,
  isHostMessage,
  isRecordLine,
  ownBlocks,
  withoutCode,
  withoutReminders,
} as const;
