import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptySessionDocument } from './session-document.ts';
import { isTerminalStatus, planTaskPruning, pruneTasks, updateTask } from './tasks.ts';

const day = 24 * 60 * 60;
const now = 1_708_740_000_000;
const seconds = now / 1000;
const task = (id: string, status: unknown, updated_at: unknown) => ({ id, status, updated_at });

describe('isTerminalStatus', () => {
  it.each(['Completed', 'COMPLETED', 'completed', 'Failed', 'cancelled', 'Canceled', 'timed_out'])(
    'is so for %s',
    (status) => {
      expect(isTerminalStatus(status)).toBe(true);
    },
  );

  it('reads the name of a status that carries its reason', () => {
    expect(isTerminalStatus({ Failed: 'no disk' })).toBe(true);
    expect(isTerminalStatus({ Running: {} })).toBe(false);
  });

  it.each(['Running', 'pending', 'In Progress', 'paused', 'not completed', '', undefined, 7, null])(
    'is not so for %j',
    (status) => {
      expect(isTerminalStatus(status)).toBe(false);
    },
  );
});

describe('planTaskPruning', () => {
  it('lets a finished task go 24 hours after its last update, not a second before', () => {
    const tasks = [
      task('old', 'Completed', seconds - day),
      task('new', 'Completed', seconds - day + 1),
    ];
    const { leaving, staying } = planTaskPruning(tasks, now);
    expect(leaving).toEqual([{ index: 0, task: tasks[0] }]);
    expect(staying).toEqual([tasks[1]]);
  });

  it('keeps a running task however old it is, and a finished one without a time', () => {
    const tasks = [task('a', 'RUNNING', 0), { id: 'b', status: 'done' }];
    expect(planTaskPruning(tasks, now).staying).toEqual(tasks);
  });

  it('reads times in milliseconds and ISO text, too, and falls back on the creation', () => {
    const tasks = [
      task('ms', 'failed', now - day * 1000),
      task('iso', 'Failed', new Date(now - day * 1000).toISOString()),
      { id: 'created', status: 'done', created_at: seconds - day },
      task('ahead', 'done', seconds + day),
    ];
    expect(planTaskPruning(tasks, now).staying).toEqual([tasks[3]]);
  });

  it('splits the tasks in order, and finds nothing more in what stays', () => {
    const any = fc.array(
      fc.record({
        id: fc.string(),
        status: fc.constantFrom('Running', 'DONE', 'failed'),
        updated_at: fc.integer({ min: seconds - 2 * day, max: seconds }),
      }),
    );
    fc.assert(
      fc.property(any, (tasks) => {
        const { staying, leaving } = planTaskPruning(tasks, now);
        const together = [...staying];
        for (const { index, task: one } of leaving) together.splice(index, 0, one);
        expect(together).toEqual(tasks);
        expect(planTaskPruning(staying, now).leaving).toEqual([]);
      }),
    );
  });
});

describe('updateTask', () => {
  it('begins a task as running, and then changes what is given', () => {
    const begun = updateTask(emptySessionDocument('s'), { id: 't', description: 'Watch' }, now);
    expect(begun.active_tasks).toEqual([
      {
        id: 't',
        description: 'Watch',
        status: 'Running',
        progress: 0,
        created_at: seconds,
        updated_at: seconds,
      },
    ]);
    const half = updateTask(begun, { id: 't', progress: 0.5 }, now + 2000);
    expect(half.active_tasks[0]).toMatchObject({
      description: 'Watch',
      progress: 0.5,
      updated_at: seconds + 2,
      created_at: seconds,
    });
  });

  it.each([-0.1, 1.1, Number.NaN])('refuses a progress of %j', (progress) => {
    expect(() => updateTask(emptySessionDocument('s'), { id: 't', progress }, now)).toThrow('0…1');
  });

  it('prunes to the same document where nothing is due', () => {
    const begun = updateTask(emptySessionDocument('s'), { id: 't' }, now);
    expect(pruneTasks(begun, now + day * 9000)).toBe(begun);
  });
});
