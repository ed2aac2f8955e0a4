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

/** How much TLS, as libpq and psql understand it: `require` takes any certificate, unless `sslrootcert` is there. */
const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'];

/** @throws `CTX_INVALID_OPTION` for a mode that would fall back to no TLS, or that has nothing to check by. */
function checkSsl({ searchParams }: URL): void {
  const mode = searchParams.get('sslmode');
  if (mode === null) return;
  if (!sslModes.includes(mode)) {
    throw new CtxError('CTX_INVALID_OPTION', `sslmode must be one of ${sslModes.join(', ')}`);
  }
  if (mode === 'verify-ca' && !searchParams.has('sslrootcert')) {
    throw new CtxError('CTX_INVALID_OPTION', 'sslmode=verify-ca needs sslrootcert=FILE');
  }
}

/** @throws `CTX_INVALID_OPTION`, whose message does not quote the URL. */
export function readPostgresUrl(text: string): PostgresUrl {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) {
    const message = 'url must be of the form postgres://user:password@host:port/database';
    throw new CtxError('CTX_INVALID_OPTION', message);
  }
  const url = new URL(text);
  const schema = url.searchParams.get('schema');
  const host = url.searchParams.get('host') ?? url.host;
  const place = `postgres://${host}${url.pathname}`;
  checkSsl(url);
  const hasSsl = url.searchParams.has('sslmode');
  if (schema === null && !hasSsl) return { connection: text, place };
  url.searchParams.delete('schema');
  // The driver's own meaning of `require` is another one.
  if (hasSsl) url.searchParams.set('uselibpqcompat', 'true');
  return { connection: url.href, place, ...(schema === null ? {} : { schema }) };
}
