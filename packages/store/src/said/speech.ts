import { isRecordLine } from './record-line.ts';
import { ownBlocks } from './rules-block.ts';
import { isForNow, isOfMoment } from './said-once.ts';
import { isRule } from './said-rules.ts';
import { sentencesOf } from './sentences.ts';
import { spokenText, withoutReminders } from './spoken-text.ts';
import { isHostMessage, typedText, withoutCode } from './typed-text.ts';

/** Tells what a person said in a message from what a host, a program or a document put there. */
export const speech = {
  isRule,
  isForNow,
  isOfMoment,
  typedText,
  spokenText,
  sentencesOf,
  isHostMessage,
  isRecordLine,
  ownBlocks,
  withoutCode,
  withoutReminders,
} as const;
