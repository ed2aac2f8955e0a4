import { describe, expect, it } from 'vitest';
import { conformanceCases } from './conformance-cases.ts';

describe('conformanceCases', () => {
  it('holds at least 200 cases, each under a name and an id of its own', () => {
    const ids = new Set(conformanceCases.map((conformanceCase) => conformanceCase.id));
    const names = new Set(
      conformanceCases.map((conformanceCase) => `${conformanceCase.group} ${conformanceCase.name}`),
    );
    expect(conformanceCases.length).toBeGreaterThanOrEqual(200);
    expect(ids.size).toBe(conformanceCases.length);
    expect(names.size).toBe(conformanceCases.length);
  });

  it('has ids of plain letters, so that they can be typed', () => {
    for (const { id } of conformanceCases) expect(id).toMatch(/^[a-z]+\/[a-z0-9-]*$/);
  });
});
