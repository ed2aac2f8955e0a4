/**
 * Cause of a `CTX_STORE_CORRUPT`: carries the bytes of a body that do not fit their checksum, so that a repair keeps them before the
 * record leaves the store. They are in no message and in no property that is printed.
 */
export class DamagedBody extends Error {
  readonly #body: string;

  constructor(message: string, body: string) {
    super(message);
    this.name = 'DamagedBody';
    this.#body = body;
  }

  /** The body as it was found: text, or `base64:` and the bytes. */
  get body(): string {
    return this.#body;
  }
}
