import { CtxError } from '@ctx/core';
import type { SessionDocument } from './session-document.ts';
import { type PlanStep, type SessionPlan, sessionExtras, withExtras } from './session-extras.ts';

/** Where the agent works, as it was last seen. */
export interface EnvironmentNote {
  readonly workspace?: string;
  /** Anything worth knowing about the machine. */
  readonly snapshot?: Readonly<Record<string, unknown>>;
}

/** Notes the environment; the workspace becomes the session's last one. Pure; unknown members stay. */
export function noteEnvironment(
  document: SessionDocument,
  { workspace, snapshot }: EnvironmentNote,
  now: number,
): SessionDocument {
  const place = workspace === undefined ? {} : { workspace };
  const last_known_environment = {
    ...document.last_known_environment,
    ...place,
    ...(snapshot === undefined ? {} : { system_snapshot: snapshot }),
    last_update: Math.floor(now / 1000),
  };
  const system_state =
    workspace === undefined
      ? document.system_state
      : { ...document.system_state, last_workspace: workspace };
  return { ...document, system_state, last_known_environment };
}

/** The session's preferences by name. */
export function preferencesOf(document: SessionDocument): Readonly<Record<string, unknown>> {
  const preferences = document.system_state['preferences'];
  const isObject = typeof preferences === 'object' && preferences !== null;
  return isObject && !Array.isArray(preferences) ? { ...preferences } : {};
}

/** Sets a preference, or takes it away (`undefined`). Pure. */
export function setPreference(
  document: SessionDocument,
  name: string,
  value: unknown,
): SessionDocument {
  const others = Object.entries(preferencesOf(document)).filter(([known]) => known !== name);
  const preferences = Object.fromEntries(value === undefined ? others : [...others, [name, value]]);
  return { ...document, system_state: { ...document.system_state, preferences } };
}

/** A plan as it is now. */
export interface PlanChange {
  readonly id: string;
  readonly title: string;
  readonly steps: readonly PlanStep[];
}

/**
 * Adds a plan, or replaces the one of that id. Pure; keeps order.
 * @throws `CTX_INVALID_INPUT` without an id.
 */
export function setPlan(
  document: SessionDocument,
  change: PlanChange,
  now: number,
): SessionDocument {
  if (change.id === '') throw new CtxError('CTX_INVALID_INPUT', 'a plan needs an id');
  const { plans } = sessionExtras(document);
  const at = plans.findIndex(({ id }) => id === change.id);
  const seconds = Math.floor(now / 1000);
  const { id, title, steps } = change;
  const created_at = plans[at]?.created_at ?? seconds;
  const plan: SessionPlan = { id, title, steps, created_at, updated_at: seconds };
  return withExtras(document, { plans: at === -1 ? [...plans, plan] : plans.with(at, plan) });
}

/** Takes a plan away. Pure; the document itself where there is none of that id. */
export function removePlan(document: SessionDocument, planId: string): SessionDocument {
  const { plans } = sessionExtras(document);
  const others = plans.filter(({ id }) => id !== planId);
  return others.length === plans.length ? document : withExtras(document, { plans: others });
}
