import { basename } from 'node:path';
import { uuidOfName } from '../../uuid-of-name.ts';

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * The session id of a file that Claude Code can resume: the name of the file where that is a UUID, as Claude Code wants it, else one made
 * from the id of the session, so that two sessions never share it.
 */
export function freshSessionId(sessionId: string, path: string | undefined): string {
  const name = path === undefined ? '' : basename(path, '.jsonl');
  if (uuid.test(name)) return name;
  return uuidOfName(`session ${sessionId}`);
}
