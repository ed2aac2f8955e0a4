import { CtxError } from '@ctx/core';

/** A `postgres://` URL, read. */
export interface PostgresUrl {
  /** What the driver connects by: without what ctx alone understands. */
  readonly connection: string;
  /** The schema that `?schema=` names. */
  readonly schema?: string;
  /** Where the store is, without user and password. */
  readonly place: string;
}

/** Throws: `CTX_INVALID_INPUT`, whose message does not quote the URL. */
export function readPostgresUrl(text: string): PostgresUrl {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) {
    const message = 'url must be of the form postgres://user:password@host:port/database';
    throw new CtxError('CTX_INVALID_INPUT', message);
  }
  const url = new URL(text);
  const schema = url.searchParams.get('schema');
  const host = url.searchParams.get('host') ?? url.host;
  const place = `postgres://${host}${url.pathname}`;
  if (schema === null) return { connection: text, place };
  url.searchParams.delete('schema');
  return { connection: url.href, schema, place };
}
