import { CtxError } from '@ctx/core';

const prefix = 'ctx://outputs/';

/** The address of a tool output as it stands in a prompt: `ctx://outputs/<id>`. */
export function pointerUri(outputId: string): string {
  return prefix + outputId;
}

/**
 * Takes an address or a bare id, as a model or a person writes it.
 * @throws `CTX_INVALID_INPUT` for anything that cannot be the id of an output.
 */
export function outputIdOf(text: string): string {
  const trimmed = text.trim();
  const id = trimmed.startsWith(prefix) ? trimmed.slice(prefix.length) : trimmed;
  if (/^[A-Za-z0-9_][A-Za-z0-9_-]{0,127}$/.test(id)) return id;
  throw new CtxError('CTX_INVALID_ADDRESS', 'a pointer looks like ctx://outputs/<id>');
}
