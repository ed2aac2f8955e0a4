import { type ByteSource, chunksOf } from './byte-source.ts';
import { collectBytes } from './collect-bytes.ts';
import { type CutterSettings, createJsonCutter } from './json-cutter.ts';
import type { JsonPiece } from './json-piece.ts';

/** How to cut. */
export interface JsonElementsOptions extends CutterSettings {
  /** The longest element that is kept, bytes. */
  readonly maxRecordBytes: number;
  readonly progress: (bytes: number) => void;
  readonly buffered: (bytes: number) => void;
}

/**
 * Cuts a JSON document into the elements of those containers that `shouldEnter` names; the root is always entered.
 * Holds one element at a time, never the document; the pieces do not depend on the chunks. Never throws on bad bytes:
 * separators are not checked, and what is no JSON comes out as elements that do not parse.
 * Takes time linear in the bytes.
 */
export async function* jsonElements(
  input: ByteSource,
  options: JsonElementsOptions,
): AsyncGenerator<JsonPiece, void, undefined> {
  const collector = collectBytes(options.maxRecordBytes, options.buffered);
  const cutter = createJsonCutter(options, collector);
  let offset = 0;
  for await (const chunk of chunksOf(input)) {
    yield* cutter.cut(chunk, offset);
    offset += chunk.length;
    options.progress(offset);
  }
  yield* cutter.end();
}
