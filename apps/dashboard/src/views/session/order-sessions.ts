import { dollarsOfSession, type SessionCost } from '../../api/cost-queries.ts';

type Session = SessionCost['session'];

const values: Readonly<Record<string, (one: SessionCost) => number>> = {
  cost: dollarsOfSession,
  fill: ({ cost }) => cost?.fill ?? 0,
};

/** Sort orders of the list, by their name in the address. */
export const sessionOrders: Readonly<Record<string, string>> = {
  '': 'newest first',
  cost: 'most expensive first',
  fill: 'fullest first',
};

/** Sessions that are searched for, in an order; equal ones as they come: the newest first. Pure. */
export function orderSessions(
  costs: readonly SessionCost[],
  { q, sort }: { readonly q: string; readonly sort: string },
): SessionCost[] {
  const words = q.toLowerCase();
  const found = costs.filter(({ session: { id, title = '', agentId = '' } }) =>
    `${id} ${title} ${agentId}`.toLowerCase().includes(words),
  );
  const valueOf = values[sort];
  return valueOf === undefined ? found : found.sort((a, b) => valueOf(b) - valueOf(a));
}

/** The project of a session: the folder that it was imported from, else its agent. Pure. */
export function projectOf({ source, agentId }: Session): string {
  const folder = source?.split(/[\\/]/).at(-2);
  return folder ?? agentId ?? 'no project';
}

/** The sessions of each project, in the order in which the projects come. Pure. */
export function groupSessions(
  costs: readonly SessionCost[],
): (readonly [project: string, costs: readonly SessionCost[]])[] {
  const groups = new Map<string, SessionCost[]>();
  for (const one of costs) {
    const project = projectOf(one.session);
    const group = groups.get(project);
    if (group === undefined) groups.set(project, [one]);
    else group.push(one);
  }
  return [...groups];
}
