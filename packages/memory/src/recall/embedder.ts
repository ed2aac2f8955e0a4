import { CtxError } from '@ctx/core';
import type { AgentFact } from '@ctx/store';

/** Places texts among those that mean the same: an embedding model of the AI SDK, or a function. */
export type Embedder =
  | ((
      texts: readonly string[],
      options: { readonly signal: AbortSignal },
    ) => Promise<readonly ArrayLike<number>[]>)
  | {
      readonly modelId: string;
      // A method, so that models which know more options still fit.
      doEmbed(options: {
        values: string[];
        abortSignal?: AbortSignal;
      }): PromiseLike<{ readonly embeddings: readonly ArrayLike<number>[] }>;
    };

/** Texts of one request. */
const batchSize = 64;

/** The name under which vectors are stored: those of another are not compared. */
export function nameOfEmbedder(embedder: Embedder): string {
  if (typeof embedder !== 'function') return embedder.modelId;
  return embedder.name === '' ? 'function' : embedder.name;
}

/**
 * A vector of length 1.
 * @throws `CTX_INVALID_INPUT` for one that is empty, zero or not finite.
 */
function unitOf(vector: ArrayLike<number>): Float32Array {
  const values = Float32Array.from(vector);
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  if (values.length > 0 && Number.isFinite(length) && length > 0) {
    return values.map((value) => value / length);
  }
  throw new CtxError(
    'CTX_INVALID_INPUT',
    `the embedder must return finite numbers, got ${String(values.length)} of length ${String(length)}`,
  );
}

async function embedBatch(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const given: unknown =
    typeof embedder === 'function'
      ? await embedder(texts, { signal })
      : (await embedder.doEmbed({ values: [...texts], abortSignal: signal })).embeddings;
  if (!Array.isArray(given) || given.length !== texts.length) {
    const count = Array.isArray(given) ? String(given.length) : 'none';
    const wanted = String(texts.length);
    throw new CtxError(
      'CTX_INVALID_INPUT',
      `the embedder must return ${wanted} vectors, got ${count}`,
    );
  }
  return given.map((vector: ArrayLike<number>) => unitOf(vector));
}

/** The vectors of texts, of length 1. Throws what the embedder throws, and `CTX_INVALID_INPUT` for vectors that make no sense. */
export async function embedTexts(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let at = 0; at < texts.length; at += batchSize) {
    vectors.push(...(await embedBatch(embedder, texts.slice(at, at + batchSize), signal)));
  }
  const [first] = vectors;
  const other = vectors.find(({ length }) => length !== first?.length);
  if (other === undefined) return vectors;
  const sizes = `${String(first?.length)} and ${String(other.length)}`;
  throw new CtxError('CTX_INVALID_INPUT', `the embedder returned vectors of ${sizes} dimensions`);
}

/** Where a fact stands among those that mean the same, as a store keeps it. */
export type FactVector = NonNullable<NonNullable<AgentFact['detail']>['vector']>;

/** A vector as a store keeps it. */
export function vectorRecord(model: string, vector: Float32Array): FactVector {
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((value, at) => bytes.writeFloatLE(value, at * 4));
  return { model, values: bytes.toString('base64') };
}
