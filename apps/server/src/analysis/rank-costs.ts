import type { ContextStore } from '@ctx/store';
import type { ModelCost, SessionCost } from './plan-cost.ts';

type Session = Awaited<ReturnType<ContextStore['sessions']['list']>>['entries'][number];

/** A session with what it cost; without where that can't be read. */
export interface RankedSession {
  readonly session: Session;
  readonly cost?: SessionCost;
}

/** In which order sessions come. */
export type CostOrder = 'time' | 'cost' | 'fill';

/** Which sessions are asked for, and how. */
export interface RankQuery {
  readonly sort: CostOrder;
  /** Whether those of a project come together. */
  readonly isGrouped: boolean;
  /** Text that id, title or agent hold, in any case; empty: all. */
  readonly q: string;
}

/** US dollars of models. */
export function dollarsOfModels(models: readonly ModelCost[] = []): number {
  return models.reduce((sum, one) => sum + one.inputDollars + one.outputDollars, 0);
}

/** Share of its limit that the last request took. */
function fillOf({ use }: Pick<SessionCost, 'use'> = {}): number {
  return use === undefined ? 0 : use.tokens / Math.max(1, use.windowTokens - use.reserveTokens);
}

const values: Readonly<Record<CostOrder, (one: RankedSession) => number>> = {
  time: ({ session }) => session.updatedAt,
  cost: ({ cost }) => dollarsOfModels(cost?.models),
  fill: ({ cost }) => fillOf(cost),
};

/** The project of a session: the folder that it was imported from, else its agent. Pure. */
export function projectOf({ source, agentId }: Session): string {
  const folder = source?.split(/[\\/]/).at(-2);
  return folder ?? agentId ?? 'no project';
}

/** The sessions of each project. Keeps the order of both. Pure. */
export function groupByProject(all: readonly RankedSession[]): Map<string, RankedSession[]> {
  const groups = new Map<string, RankedSession[]>();
  for (const one of all) {
    const project = projectOf(one.session);
    const group = groups.get(project);
    if (group === undefined) groups.set(project, [one]);
    else group.push(one);
  }
  return groups;
}

/** What the sessions of a project cost together. */
function dollarsOfProject(project: readonly RankedSession[]): number {
  return project.reduce((sum, one) => sum + values.cost(one), 0);
}

/**
 * The sessions that are asked for, in their order; equal ones the newest first. Projects come as their first session does, by cost in
 * the order of their sums. Pure.
 */
export function rankSessions(
  all: Iterable<RankedSession>,
  { sort, isGrouped, q }: RankQuery,
): readonly RankedSession[] {
  const words = q.toLowerCase();
  const valueOf = values[sort];
  const found = [...all].filter(({ session: { id, title = '', agentId = '' } }) =>
    `${id} ${title} ${agentId}`.toLowerCase().includes(words),
  );
  found.sort(
    (one, other) =>
      valueOf(other) - valueOf(one) || other.session.updatedAt - one.session.updatedAt,
  );
  if (!isGrouped) return found;
  const projects = [...groupByProject(found).values()];
  if (sort === 'cost') {
    projects.sort((one, other) => dollarsOfProject(other) - dollarsOfProject(one));
  }
  return projects.flat();
}

/** The sum of the costs of one model. */
function sumOfModel(same: readonly ModelCost[]): ModelCost[] {
  const [first] = same;
  if (first === undefined) return [];
  const sum = (of: (cost: ModelCost) => number): number =>
    same.reduce((all, cost) => all + of(cost), 0);
  return [
    {
      ...first,
      requests: sum(({ requests }) => requests),
      inputTokens: sum(({ inputTokens }) => inputTokens),
      cachedTokens: sum(({ cachedTokens }) => cachedTokens),
      outputTokens: sum(({ outputTokens }) => outputTokens),
      inputDollars: sum(({ inputDollars }) => inputDollars),
      outputDollars: sum(({ outputDollars }) => outputDollars),
      reportedInputs: sum(({ reportedInputs }) => reportedInputs),
      reportedCaches: sum(({ reportedCaches }) => reportedCaches),
      reportedOutputs: sum(({ reportedOutputs }) => reportedOutputs),
    },
  ];
}

/** What sessions cost together by model, the most expensive first. Pure. */
export function sumCosts(all: readonly RankedSession[]): SessionCost {
  const costs = all.flatMap(({ cost }) => cost ?? []);
  const models = new Map<string, ModelCost[]>();
  for (const one of costs.flatMap((cost) => cost.models)) {
    const key = JSON.stringify([one.model, one.price]);
    const same = models.get(key);
    if (same === undefined) models.set(key, [one]);
    else same.push(one);
  }
  return {
    models: [...models.values()]
      .flatMap(sumOfModel)
      .sort((one, other) => dollarsOfModels([other]) - dollarsOfModels([one])),
    carriedTokens: costs.reduce((sum, { carriedTokens }) => sum + carriedTokens, 0),
    everythingTokens: costs.reduce((sum, { everythingTokens }) => sum + everythingTokens, 0),
  };
}

/** A page of ranked sessions. */
export interface RankPage {
  readonly entries: readonly RankedSession[];
  /** Missing at the end. */
  readonly next?: string;
}

interface RankPlace {
  readonly id: string;
  readonly place: number;
}

function placeOf(cursor: string): RankPlace | undefined {
  const [place, ...id] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ');
  const number = Number(place);
  return Number.isSafeInteger(number) && id.length > 0
    ? { place: number, id: id.join(' ') }
    : undefined;
}

/**
 * The page after the session that a cursor names, which may stand elsewhere by now; where it is gone, after its place.
 * `undefined` for a cursor that is none.
 */
export function pageOfRanked(
  ranked: readonly RankedSession[],
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): RankPage | undefined {
  const last = cursor === undefined ? { id: '', place: -1 } : placeOf(cursor);
  if (last === undefined) return undefined;
  const found = last.place < 0 ? -1 : ranked.findIndex(({ session }) => session.id === last.id);
  const start = (found === -1 ? last.place : found) + 1;
  const entries = ranked.slice(start, start + limit);
  const end = start + entries.length - 1;
  const id = entries.at(-1)?.session.id;
  if (id === undefined || end + 1 >= ranked.length) return { entries };
  return { entries, next: Buffer.from(`${String(end)} ${id}`).toString('base64url') };
}
