import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where the stores of the kit lie. */
export interface CasePlaces {
  /** Gives a place that nothing has used before. */
  readonly make: () => Promise<string>;
  /** Takes the place away with all that is in it. Every backend on it has been closed. */
  readonly remove: (place: string) => Promise<void>;
}

/** Empty folders in the folder for temporary files. */
export const temporaryFolders: CasePlaces = {
  make: () => mkdtemp(join(tmpdir(), 'ctx-conformance-')),
  remove: (place) => rm(place, { recursive: true, force: true, maxRetries: 3 }),
};
