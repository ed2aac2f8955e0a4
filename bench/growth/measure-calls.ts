import { approximateTokens } from '@ctx/tokens/approximate';
import type { Count, Operations } from './counted-backend.ts';

/** What one call took, the median of several. */
export interface CallCost extends Operations {
  readonly call: string;
  /** Milliseconds of the processor. */
  readonly cpuMs: number;
}

const none: Operations = { calls: 0, recordsRead: 0, recordsWritten: 0, counted: 0 };

type Took = Omit<CallCost, 'call'>;

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Measures calls one after another. */
export interface Meter {
  readonly count: Count;
  readonly countTokens: (text: string) => number;
  /** Does a call and adds what it took to those of its name. */
  run(call: string, work: () => Promise<unknown>): Promise<void>;
  /** The medians of the calls since the last time. */
  take(): readonly CallCost[];
}

/** Makes a meter. Calls must not overlap. */
export function createMeter(): Meter {
  let sum = none;
  let took = new Map<string, Took[]>();
  const count: Count = (added) => {
    sum = {
      calls: sum.calls + (added.calls ?? 0),
      recordsRead: sum.recordsRead + (added.recordsRead ?? 0),
      recordsWritten: sum.recordsWritten + (added.recordsWritten ?? 0),
      counted: sum.counted + (added.counted ?? 0),
    };
  };
  const mediansOf = ([call, costs]: [string, Took[]]): CallCost => {
    const of = (name: keyof Took) => median(costs.map((cost) => cost[name]));
    return {
      call,
      calls: of('calls'),
      recordsRead: of('recordsRead'),
      recordsWritten: of('recordsWritten'),
      counted: of('counted'),
      cpuMs: of('cpuMs'),
    };
  };
  return {
    count,
    countTokens: (text) => {
      count({ counted: text.length });
      return approximateTokens(text);
    },
    async run(call, work) {
      sum = none;
      const before = process.cpuUsage();
      await work();
      const { user, system } = process.cpuUsage(before);
      const costs = took.get(call) ?? [];
      took.set(call, costs);
      costs.push({ ...sum, cpuMs: (user + system) / 1000 });
    },
    take() {
      const costs = [...took].map(mediansOf);
      took = new Map();
      return costs;
    },
  };
}
