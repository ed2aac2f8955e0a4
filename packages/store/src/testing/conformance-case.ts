import type {
  CollectionDefinition,
  OpenOptions,
  StoreBackend,
  StoreSupport,
} from '../backend/store-backend.ts';

/** What a case gets: backends on a place of its own. Whatever it made is closed when it ends. */
export interface CaseHarness {
  /** Makes a backend on the case's place and does not open it. Every call gives a new one on the same place. */
  readonly create: () => Promise<StoreBackend>;
  /** Makes a backend on the case's place and opens it, by default with {@link caseCollections}. */
  readonly open: (
    collections?: readonly CollectionDefinition[],
    options?: OpenOptions,
  ) => Promise<StoreBackend>;
}

/** What only some backends can do: what they promise, and lists and marks, of which the kit finds out whether they offer them. */
export type Ability = keyof StoreSupport | 'lists' | 'marks';

export type Abilities = Readonly<Partial<Record<Ability, boolean>>>;

/** One sentence of the contract and how to prove it. */
export interface ConformanceCase {
  /** Such as `scan/gives-ties-in-key-order`. Unique. */
  readonly id: string;
  readonly group: string;
  /** A sentence about the store. */
  readonly name: string;
  /** The case is one of those for backends that have all of these. Default: for all. */
  readonly needs?: readonly Ability[];
  /** The case is one of those for backends that do not have this. */
  readonly unless?: Ability;
  /** Rejects where the backend breaks the contract. */
  readonly run: (harness: CaseHarness) => Promise<void>;
}

type CaseCondition = Pick<ConformanceCase, 'needs' | 'unless'>;

/** Adds a case to its group. */
export type AddCase = (
  name: string,
  run: (harness: CaseHarness) => Promise<void>,
  condition?: CaseCondition,
) => void;

function idOf(group: string, name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return `${group}/${words.join('-')}`;
}

/** Makes the cases of a group; `condition` holds for all of them. */
export function caseGroup(
  group: string,
  fill: (add: AddCase) => void,
  condition: CaseCondition = {},
): readonly ConformanceCase[] {
  const cases: ConformanceCase[] = [];
  const ids = new Set<string>();
  fill((name, run, own = {}) => {
    // Names that differ in signs only share their words.
    let id = idOf(group, name);
    for (let count = 2; ids.has(id); count++) id = `${idOf(group, name)}-${count}`;
    ids.add(id);
    const needs = [...(condition.needs ?? []), ...(own.needs ?? [])];
    cases.push({ id, group, name, ...condition, ...own, needs, run });
  });
  return cases;
}

/** The cases that a backend with these abilities has to pass, all of them: none is left to be skipped. */
export function casesFor(
  cases: readonly ConformanceCase[],
  abilities: Abilities,
): readonly ConformanceCase[] {
  return cases.filter(
    ({ needs = [], unless }) =>
      needs.every((ability) => abilities[ability] === true) &&
      (unless === undefined || abilities[unless] !== true),
  );
}
