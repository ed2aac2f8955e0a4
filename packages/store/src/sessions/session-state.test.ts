import { describe, expect, it } from 'vitest';
import { emptySessionDocument } from './session-document.ts';
import { sessionExtras, withExtras } from './session-extras.ts';
import {
  noteEnvironment,
  preferencesOf,
  removePlan,
  setPlan,
  setPreference,
} from './session-state.ts';

const empty = emptySessionDocument('s');

describe('the state of a session', () => {
  it('remembers the last environment and workspace', () => {
    const document = noteEnvironment(empty, { workspace: '/w', snapshot: { memory: 8 } }, 9000);
    expect(document.last_known_environment).toEqual({
      workspace: '/w',
      system_snapshot: { memory: 8 },
      last_update: 9,
    });
    expect(document.system_state).toEqual({ last_workspace: '/w' });
    expect(noteEnvironment(document, {}, 10_000).last_known_environment).toMatchObject({
      workspace: '/w',
      last_update: 10,
    });
  });

  it('sets preferences and takes them away', () => {
    const set = setPreference(setPreference(empty, 'verbose', true), '__proto__', 1);
    expect(Object.entries(preferencesOf(set))).toEqual([
      ['verbose', true],
      ['__proto__', 1],
    ]);
    expect(preferencesOf(setPreference(set, 'verbose', undefined))).not.toHaveProperty('verbose');
  });

  it('keeps plans by id, and looks like the seed again without them', () => {
    const steps = [{ text: 'read', status: 'done' }];
    const one = setPlan(empty, { id: 'p', title: 'Plan', steps }, 5000);
    const two = setPlan(one, { id: 'p', title: 'Better', steps: [] }, 7000);
    expect(sessionExtras(two).plans).toEqual([
      { id: 'p', title: 'Better', steps: [], created_at: 5, updated_at: 7 },
    ]);
    expect(removePlan(two, 'p')).toEqual(empty);
    expect(removePlan(empty, 'p')).toBe(empty);
  });
});

describe('sessionExtras', () => {
  it.each([undefined, null, 7, 'text', [], { fact_notes: 1, plans: [7], summary_trust: 'sure' }])(
    'reads %j as nothing added',
    (ctx) => {
      expect(sessionExtras({ ...empty, ctx })).toEqual({
        fact_notes: [],
        superseded_facts: [],
        constraints: [],
        pinned_history: [],
        plans: [],
        summary_trust: 'trusted',
      });
    },
  );

  it('trusts no summary that came without a mark', () => {
    expect(sessionExtras({ ...empty, long_term_summary: 'x' }).summary_trust).toBe('untrusted');
    const marked = withExtras({ ...empty, long_term_summary: 'x' }, { summary_trust: 'trusted' });
    expect(sessionExtras(marked).summary_trust).toBe('trusted');
  });

  it('keeps unknown members of ctx', () => {
    const document = withExtras({ ...empty, ctx: { other: 1 } }, { plans: [] });
    expect(document.ctx).toEqual({ other: 1 });
  });
});
