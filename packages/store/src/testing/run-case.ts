import type { CollectionDefinition, OpenOptions, StoreBackend } from '../backend/store-backend.ts';
import { caseCollections, things } from './case-collections.ts';
import { type CasePlaces, temporaryFolders } from './case-places.ts';
import type { Abilities, CaseHarness, ConformanceCase } from './conformance-case.ts';

/** How the kit gets at the backend under test. */
export interface BackendMaker {
  /**
   * Makes a backend that is not open yet.
   * Backends made with one `place` see one store, also after the earlier ones were closed, if the backend promises to
   * be durable or shared; a new place is an empty store. `place` is the path of an empty folder unless `places` says otherwise.
   */
  readonly create: (context: { readonly place: string }) => StoreBackend | Promise<StoreBackend>;
  /** Default: empty folders in the folder for temporary files. */
  readonly places?: CasePlaces;
  /** How long one case may take, ms. Default 30,000. */
  readonly caseLimitMs?: number;
}

/** What became of a case. A failed one has its `error`. */
export interface CaseOutcome {
  readonly status: 'passed' | 'failed';
  readonly error?: unknown;
}

const defaultCaseLimitMs = 30_000;

async function withinLimit(work: Promise<void>, limitMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`the case did not end within ${limitMs} ms`));
    }, limitMs);
  });
  try {
    await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

async function runOnPlace(
  conformanceCase: ConformanceCase,
  maker: BackendMaker,
  place: string,
): Promise<CaseOutcome> {
  const made: StoreBackend[] = [];
  const create = async (): Promise<StoreBackend> => {
    const backend = await maker.create({ place });
    made.push(backend);
    return backend;
  };
  const open = async (
    collections: readonly CollectionDefinition[] = caseCollections,
    options: OpenOptions = {},
  ): Promise<StoreBackend> => {
    const backend = await create();
    await backend.open(collections, options);
    return backend;
  };
  try {
    const limitMs = maker.caseLimitMs ?? defaultCaseLimitMs;
    await withinLimit(conformanceCase.run({ create, open }), limitMs);
    return { status: 'passed' };
  } catch (error) {
    return { status: 'failed', error };
  } finally {
    await Promise.allSettled(made.map((backend) => backend.close()));
  }
}

/** Runs one case on a place of its own. Never rejects because of the backend. */
export async function runCase(
  conformanceCase: ConformanceCase,
  maker: BackendMaker,
): Promise<CaseOutcome> {
  const places = maker.places ?? temporaryFolders;
  const place = await places.make();
  try {
    return await runOnPlace(conformanceCase, maker, place);
  } finally {
    await places.remove(place);
  }
}

/** What the backend promises and offers; `undefined` where it cannot be made or opened, which every case then shows. */
export async function abilitiesOf(maker: BackendMaker): Promise<Abilities | undefined> {
  let abilities: Abilities | undefined;
  const run = async ({ create }: CaseHarness): Promise<void> => {
    const backend = await create();
    let marks = false;
    const onMark = (): void => {
      marks = true;
    };
    await backend.open(caseCollections, { onMark });
    const scan = backend.scan({ collection: things.name, index: 'key', equal: ['t'] });
    const lists = (await scan.lists?.([], 1)) !== undefined;
    abilities = { ...backend.supports, lists, marks };
  };
  await runCase({ id: 'abilities', group: 'abilities', name: 'are told', run }, maker);
  return abilities;
}
