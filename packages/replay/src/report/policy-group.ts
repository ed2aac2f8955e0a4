/** What kind of policy it is: how its points are drawn. */
export type PolicyGroup = 'ctx' | 'recipe' | 'rival' | 'none' | 'bound';

/** What the groups are called. */
export const groupNames: Readonly<Record<PolicyGroup, string>> = {
  ctx: 'ctx: the window manager in its modes',
  recipe: 'recipe of the AI SDK, at its triggers',
  rival: 'other rivals',
  none: 'none: everything is sent',
  bound: 'bound: cheapest flush times in hindsight',
};

/** The group of a policy, by its name. */
export function groupOf(policy: string): PolicyGroup {
  if (policy === 'none') return 'none';
  if (policy === 'offline-optimum') return 'bound';
  if (policy === 'ctx' || policy.startsWith('ctx-')) return 'ctx';
  return policy.startsWith('recipe') ? 'recipe' : 'rival';
}
