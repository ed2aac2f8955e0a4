import { type ConformanceCase, caseGroup } from '../../conformance-case.ts';
import { runTrace } from '../../random-trace.ts';

const seeds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

export const traceCases: readonly ConformanceCase[] = caseGroup('traces', (add) => {
  for (const seed of seeds) {
    add(`does as the model does over 150 random writes (seed ${seed})`, async ({ open }) => {
      const backend = await open();
      await runTrace({ seed, steps: 150, backendAt: async () => backend });
    });
  }
  for (const seed of seeds) {
    add(
      `does as the model does, reopened on the way (seed ${seed})`,
      async ({ open }) => {
        let backend = await open();
        const backendAt = async (step: number) => {
          if (step % 15 !== 14) return backend;
          await backend.close();
          backend = await open();
          return backend;
        };
        await runTrace({ seed: 100 + seed, steps: 90, backendAt });
      },
      { needs: ['durable'] },
    );
  }
  for (const seed of seeds.slice(0, 5)) {
    add(
      `does as the model does through two instances in turn (seed ${seed})`,
      async ({ open }) => {
        const [left, right] = [await open(), await open()];
        const backendAt = async (step: number) => (step % 3 === 0 ? left : right);
        await runTrace({ seed: 200 + seed, steps: 90, backendAt });
      },
      { needs: ['sharedBetweenProcesses'] },
    );
  }
});
