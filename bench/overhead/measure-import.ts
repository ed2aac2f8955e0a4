import { compareStarts, importing } from '../startup/compare-starts.ts';

/** What starting node takes, and what an import adds to it. */
export interface ImportCost {
  /** Node that does nothing, ms. */
  readonly bareMs: number;
  /** What the import adds, ms. */
  readonly importMs: number;
  /** Node with the import in relation to node without. */
  readonly ratio: number;
}

/** The root entry of the adapter as it is packed. */
export const packedAdapter: string = new URL(
  'bundle/index.js',
  import.meta.resolve('@ctx/agent-adapter'),
).href;

/** Processor time of the import of `@ctx/agent-adapter` as it is packed. */
export function measureImport(): ImportCost {
  const bare = { name: 'bare node', args: ['--input-type=module', '--eval', '0'] };
  const [node, packed] = compareStarts([bare, importing('import', packedAdapter)]);
  if (node === undefined || packed === undefined) throw new Error('nothing was measured');
  return { bareMs: node.cpuMs, importMs: packed.addedMs, ratio: packed.ratio };
}
