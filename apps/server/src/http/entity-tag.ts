import type { FastifyReply, FastifyRequest } from 'fastify';
import { problem } from '../problems/problem.ts';

/** A strong tag: what has it is the same byte for byte. */
export function entityTag(version: number | string): string {
  return `"${String(version)}"`;
}

const maxTags = 20;

function tagsOf(header: string): string[] {
  return header
    .split(',', maxTags)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

/** Sets the tag; `true` where the caller has this version already, and 304 was answered. */
export function isKnownVersion(
  request: FastifyRequest,
  reply: FastifyReply,
  version: number | string,
): boolean {
  const tag = entityTag(version);
  void reply.header('etag', tag);
  // What is read compares weakly (RFC 9110, 13.1.2): proxies that compress make tags weak.
  const known = tagsOf(request.headers['if-none-match'] ?? '').map((one) =>
    one.replace(/^W\//, ''),
  );
  if (!known.includes(tag) && !known.includes('*')) return false;
  void reply.code(304).send();
  return true;
}

/** Whether the caller names versions that it has. */
export function namesVersions({ headers }: FastifyRequest): boolean {
  return headers['if-none-match'] !== undefined;
}

/** Whether the caller wants to make something that is not there yet: `If-None-Match: *`. */
export function wantsNew({ headers }: FastifyRequest): boolean {
  return headers['if-none-match']?.trim() === '*';
}

/**
 * Lets a change through that names the version it was made from.
 * @throws 428 without one, 412 for another.
 */
export function checkMatch(request: FastifyRequest, version: number | string): void {
  const given = request.headers['if-match'];
  if (given === undefined) {
    throw problem(428, 'Send If-Match with the ETag of the version that you change.');
  }
  const tags = tagsOf(given);
  if (tags.includes('*') || tags.includes(entityTag(version))) return;
  throw problem(412, 'The version in If-Match is not the current one.');
}
