import type { Message } from '@ctx/core';
import { isJsonEqual } from '../../values.ts';
import type { NoteLoss } from './note-loss.ts';

/** How one record becomes messages and messages become records. */
export interface MessageCodec {
  /** The name of the format. */
  readonly format: string;
  /** The messages of one record; none where it is no message. */
  readonly read: (value: unknown) => readonly Message[];
  /** The records of messages that follow each other. */
  readonly write: (messages: readonly Message[], note: NoteLoss) => readonly unknown[];
}

const quiet = (): void => undefined;

/**
 * Makes a codec exact: a record that it does not give back as it was is kept whole beside its first message.
 * Records that were read and not changed always come out equal.
 */
export function exactCodec(codec: MessageCodec): MessageCodec {
  return {
    format: codec.format,
    read: (value) => {
      const messages = codec.read(value);
      const [first, ...others] = messages;
      if (first === undefined || isJsonEqual(codec.write(messages, quiet), [value]))
        return messages;
      return [
        { ...first, extra: { format: codec.format, ...first.extra, whole: value } },
        ...others,
      ];
    },
    write: (messages, note) => writeRuns(messages, { codec, note }),
  };
}

interface Writing {
  readonly codec: MessageCodec;
  readonly note: NoteLoss;
}

function writeRuns(messages: readonly Message[], { codec, note }: Writing): unknown[] {
  const records: unknown[] = [];
  let run: Message[] = [];
  const endRun = (): void => {
    if (run.length > 0) records.push(...codec.write(run, note));
    run = [];
  };
  let index = 0;
  for (let message = messages[index]; message !== undefined; message = messages[index]) {
    const length = lengthOfWhole(messages, index, codec);
    if (length === 0) run.push(message);
    else {
      endRun();
      records.push(message.extra?.['whole']);
    }
    index += Math.max(length, 1);
  }
  endRun();
  return records;
}

/** How many messages from `index` on are those of a record that was kept whole; 0 where they are not. */
function lengthOfWhole(messages: readonly Message[], index: number, codec: MessageCodec): number {
  const extra = messages[index]?.extra;
  if (extra?.format !== codec.format || !Object.hasOwn(extra, 'whole')) return 0;
  const again = codec.read(extra['whole']);
  const isSame = again.every(({ role, content }, place) => {
    const message = messages[index + place];
    return message?.role === role && isJsonEqual(message.content, content);
  });
  return isSame ? again.length : 0;
}
