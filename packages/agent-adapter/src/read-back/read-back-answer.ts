import type { MarkedMedia } from './mark-media.ts';

/** What a read tool answers: a text, in which a line stands for each picture or document, and these themselves. */
export interface ReadBackAnswer {
  readonly text: string;
  readonly media: readonly MarkedMedia[];
}

/** The text, and words for the files in it that are not shown. */
export function withoutMedia(text: string, media: readonly MarkedMedia[]): string {
  if (media.length === 0) return text;
  const marks = media.map(({ mark }) => mark).join(', ');
  return `${text}\n[not shown, because it cannot be sent as a tool's answer here: ${marks}]`;
}
