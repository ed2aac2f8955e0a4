/** Most of a refusal that is read, bytes; a longer one is passed on unread. */
const maxBytes = 1024 * 1024;

/** Whether another request may be sent in place of the one that was answered so. */
export function isRefusal(status: number | undefined): boolean {
  return status === 400 || status === 413;
}

/** What was read of a refusal: all of it unless it is too long for that. */
interface ReadRefusal<Chunk> {
  readonly chunks: readonly Chunk[];
  readonly isWhole: boolean;
}

export async function readRefusal<Chunk extends Uint8Array>(
  rest: AsyncIterable<Chunk>,
): Promise<ReadRefusal<Chunk>> {
  const chunks: Chunk[] = [];
  let bytes = 0;
  for await (const chunk of rest) {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes > maxBytes) return { chunks, isWhole: false };
  }
  return { chunks, isWhole: true };
}
