import type { MarkedMedia } from './mark-media.ts';
import type { Media } from './media.ts';
import { withoutMedia } from './read-back-answer.ts';
import type { ReadBackTool } from './read-back-tools.ts';

/** How a host takes the parts of a tool's result. `media` returns `undefined` for what its provider does not take. */
export interface PartWriter<Part> {
  readonly text: (text: string) => Part;
  readonly media: (media: Media) => Part | undefined;
}

/** Runs a tool and writes its answer in the host's form: a text alone, or parts if it holds pictures or documents. */
export async function toolParts<Part>(
  tool: ReadBackTool,
  args: unknown,
  write: PartWriter<Part>,
): Promise<string | Part[]> {
  if (tool.answer === undefined) return tool.execute(args);
  const { text, media } = await tool.answer(args);
  const parts: Part[] = [];
  const left: MarkedMedia[] = [];
  for (const each of media) {
    const part = write.media(each);
    if (part === undefined) left.push(each);
    else parts.push(part);
  }
  const words = withoutMedia(text, left);
  return parts.length === 0 ? words : [write.text(words), ...parts];
}
