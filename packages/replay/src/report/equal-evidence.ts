import type { ReplayRow } from '../summary/replay-summary.ts';
import { groupOf } from './policy-group.ts';

/** A policy beside the recipe where that keeps as much evidence in view. */
export interface EqualEvidence {
  readonly row: ReplayRow;
  /** Cost of the recipe there, UTE; left out where no two triggers lie around it. */
  readonly recipeUte?: number;
  readonly noneUte?: number;
}

const shareOf = (row: ReplayRow): number => row.editsInView / row.edits;

/** What the recipe costs at a share of evidence, between the two triggers around it. */
function recipeAt(recipes: readonly ReplayRow[], share: number): number | undefined {
  for (const [index, above] of recipes.entries()) {
    const below = recipes[index - 1];
    if (shareOf(above) < share || below === undefined || shareOf(below) > share) continue;
    const span = shareOf(above) - shareOf(below);
    const part = span === 0 ? 1 : (share - shareOf(below)) / span;
    return below.ute + part * (above.ute - below.ute);
  }
  return undefined;
}

/**
 * Sets every policy of ctx, and the bound, beside the recipe at equal evidence in view. Everything sent counts as the
 * recipe with a trigger that is never reached.
 * Pure; empty where nothing was judged or there is no recipe.
 */
export function equalEvidence(totals: readonly ReplayRow[]): EqualEvidence[] {
  const judged = totals.filter(({ edits }) => edits > 0);
  const groups = judged.filter(({ policy }) => ['recipe', 'none'].includes(groupOf(policy)));
  const recipes = [...groups].sort((a, b) => shareOf(a) - shareOf(b) || a.ute - b.ute);
  if (!judged.some(({ policy }) => groupOf(policy) === 'recipe')) return [];
  const noneUte = judged.find(({ policy }) => policy === 'none')?.ute;
  return judged
    .filter(({ policy }) => ['ctx', 'bound'].includes(groupOf(policy)))
    .map((row) => {
      const recipeUte = recipeAt(recipes, shareOf(row));
      return {
        row,
        ...(recipeUte === undefined ? {} : { recipeUte }),
        ...(noneUte === undefined ? {} : { noneUte }),
      };
    });
}
