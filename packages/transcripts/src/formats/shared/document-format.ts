import type { TranscriptFormat } from '../../transcript.ts';
import { type DocumentCodec, readMessageDocument } from './message-document.ts';
import { type DocumentWriter, writeMessageDocument } from './write-document.ts';

/** What is of one format alone; its name stands here once. */
export interface DocumentFormatParts extends Pick<TranscriptFormat, 'name' | 'detect'> {
  /** Makes the codec of a lane; `note` counts an oddity. */
  readonly createCodec: (note: (name: string) => void) => Omit<DocumentCodec, 'format'>;
  /** Without `isBareList`, a document that has no shape of its own is a bare list. */
  readonly writer: Omit<DocumentWriter, 'format' | 'isBareList'> &
    Partial<Pick<DocumentWriter, 'isBareList'>>;
}

/** Makes a format of JSON documents of messages. */
export function documentFormat({
  name,
  detect,
  createCodec,
  writer,
}: DocumentFormatParts): TranscriptFormat {
  const format = name;
  return {
    name,
    detect,
    read: (input, options) =>
      readMessageDocument(input, options, () => ({ ...createCodec(options.log.note), format })),
    write: async (events, options) =>
      writeMessageDocument(events, { isBareList: true, ...writer, format }, options),
  };
}
