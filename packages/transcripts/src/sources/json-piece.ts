/** One piece of a JSON document that is too large to be parsed at once. */
export type JsonPiece =
  | {
      readonly kind: 'enter' | 'leave';
      readonly container: 'object' | 'array';
      readonly path: string;
    }
  | JsonElement;

/** A value that is parsed as a whole. */
export interface JsonElement {
  readonly kind: 'element';
  /** The keys that lead to its container, such as `/messages`; empty for the root. */
  readonly path: string;
  /** Its key, where its container is an object. */
  readonly key?: string;
  /** Empty where it is over the cap. */
  readonly bytes: Uint8Array;
  /** Bytes from the start of the input. */
  readonly offset: number;
  /** In bytes. */
  readonly length: number;
  readonly isOverCap: boolean;
  /** Whether the input ended within it. */
  readonly isTorn: boolean;
  /** Whether it stands after the end of the document. */
  readonly isTrailing: boolean;
}
