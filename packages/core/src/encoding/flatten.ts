import {
  type EncodedContainer,
  type EncodedValue,
  isContainer,
  setOwn,
  tagKey,
} from './encoded-value.ts';

/** Deepest nested form. zod overflows at 2,000, `JSON.stringify` by 5,000. */
const maxDepth = 200;
/** How much larger than the value its nested form may become when shared objects are written several times. */
const maxRepeated = 10_000;
/** Characters of text that weigh as much as one property. */
const charactersPerUnit = 100;

/** The cost of writing a container out. */
interface Measure {
  readonly depth: number;
  readonly weight: number;
}

/** Returns `root` itself if it can be written nested, otherwise its flat form: `{ $ctx: 'table', nodes: […] }`. */
export function flattenIfNeeded(root: EncodedValue): EncodedValue {
  if (!isContainer(root) || fitsNested(root)) return root;
  return { [tagKey]: 'table', nodes: tableOf(root) };
}

/** Walks the graph in post-order, visits each container once, and stops at the first cycle or limit. */
function fitsNested(root: EncodedContainer): boolean {
  const measures = new Map<EncodedContainer, Measure | 'open'>();
  const stack: EncodedContainer[] = [root];
  let ownWeight = 0;
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const seen = measures.get(top);
    if (seen === undefined) {
      measures.set(top, 'open');
      ownWeight += weigh(top);
      if (!pushChildren(top, measures, stack)) return false;
      continue;
    }
    stack.pop();
    if (seen !== 'open') continue;
    const measure = measureOf(top, measures);
    if (measure.depth > maxDepth) return false;
    measures.set(top, measure);
  }
  const whole = measures.get(root);
  return typeof whole === 'object' && whole.weight - ownWeight <= maxRepeated;
}

/** Returns false if a child is still open: that is a cycle. */
function pushChildren(
  parent: EncodedContainer,
  measures: ReadonlyMap<EncodedContainer, Measure | 'open'>,
  stack: EncodedContainer[],
): boolean {
  for (const child of Object.values(parent)) {
    if (!isContainer(child)) continue;
    const seen = measures.get(child);
    if (seen === 'open') return false;
    if (seen === undefined) stack.push(child);
  }
  return true;
}

function measureOf(
  parent: EncodedContainer,
  measures: ReadonlyMap<EncodedContainer, Measure | 'open'>,
): Measure {
  let depth = 0;
  let weight = weigh(parent);
  for (const child of Object.values(parent)) {
    const measure = isContainer(child) ? measures.get(child) : undefined;
    if (typeof measure !== 'object') continue;
    depth = Math.max(depth, measure.depth);
    weight += measure.weight;
  }
  return { depth: depth + 1, weight };
}

function weigh(parent: EncodedContainer): number {
  let weight = 1;
  for (const child of Object.values(parent)) {
    weight += typeof child === 'string' ? 1 + child.length / charactersPerUnit : 1;
  }
  return weight;
}

/** Lists the containers, root first; a child container is written as `[its index in the list]`. */
function tableOf(root: EncodedContainer): EncodedValue[] {
  const places = new Map<EncodedContainer, number>([[root, 0]]);
  const order: EncodedContainer[] = [root];
  for (const container of order) {
    for (const child of childrenInKeyOrder(container)) {
      if (places.has(child)) continue;
      places.set(child, order.length);
      order.push(child);
    }
  }
  return order.map((container) => rowOf(container, places));
}

/** Visits keys in sorted order, so that the numbering, and the fingerprint, do not depend on their order. */
function childrenInKeyOrder(container: EncodedContainer): EncodedContainer[] {
  if (Array.isArray(container)) return container.filter(isContainer);
  const keys = Object.keys(container).sort();
  const children: EncodedContainer[] = [];
  for (const key of keys) {
    const child = container[key];
    if (child !== undefined && isContainer(child)) children.push(child);
  }
  return children;
}

function rowOf(
  container: EncodedContainer,
  places: ReadonlyMap<EncodedContainer, number>,
): EncodedContainer {
  const row: EncodedContainer = Array.isArray(container) ? [] : {};
  for (const [key, child] of Object.entries(container)) {
    setOwn(row, key, isContainer(child) ? [places.get(child) ?? 0] : child);
  }
  return row;
}
