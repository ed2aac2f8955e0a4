import { bareModelName, findModel, longestPrefix } from '../models/find-model.ts';
import type { Provider } from '../models/models.ts';

/** How a model turns pixels into tokens. */
export type ImageRule =
  /** Pixels ÷ 750 after scaling to a longest edge and a most of tokens (Anthropic). */
  | { readonly kind: 'area'; readonly longEdge: number; readonly maxTokens: number }
  /** Tiles of 512 px after fitting into 2,048 px and a short edge of 768 px (OpenAI). */
  | { readonly kind: 'tiles'; readonly baseTokens: number; readonly tileTokens: number }
  /** Patches of 32 px, scaled to at most `maxPatches`, times a factor (OpenAI, newer). */
  | { readonly kind: 'patches'; readonly maxPatches: number; readonly multiplier: number }
  /** 258 per crop, one crop up to 384 px (Gemini to 2.5). */
  | { readonly kind: 'crops' }
  /** The same for every image (Gemini 3 at its default resolution). */
  | { readonly kind: 'flat'; readonly tokens: number };

/** When the rules were last compared with their sources. */
export const imageRulesCheckedAt = '2026-11-21';

const area: ImageRule = { kind: 'area', longEdge: 1568, maxTokens: 1600 };
const largeArea: ImageRule = { kind: 'area', longEdge: 2576, maxTokens: 4784 };
const tiles: ImageRule = { kind: 'tiles', baseTokens: 85, tileTokens: 170 };
const crops: ImageRule = { kind: 'crops' };
const patches = (maxPatches: number, multiplier: number): ImageRule => ({
  kind: 'patches',
  maxPatches,
  multiplier,
});

/**
 * Source: platform.claude.com, vision (its newest text counts patches of 28 px, up to 5 % less than pixels ÷ 750);
 * platform.openai.com, images and vision (the 1.2 of GPT-5.2 and later as billed, community measurement of 2026-03);
 * ai.google.dev, tokens and media resolution.
 */
const rulesByPrefix: readonly (readonly [string, ImageRule])[] = [
  ['claude-', area],
  ['claude-opus-4-7', largeArea],
  ['claude-opus-4-8', largeArea],
  ['claude-opus-5', largeArea],
  ['claude-sonnet-5', largeArea],
  ['claude-fable-', largeArea],
  ['claude-mythos-', largeArea],
  ['gpt-4o-mini', { kind: 'tiles', baseTokens: 2833, tileTokens: 5667 }],
  ['gpt-4.1-mini', patches(1536, 1.62)],
  ['gpt-4.1-nano', patches(1536, 2.46)],
  ['gpt-5', { kind: 'tiles', baseTokens: 70, tileTokens: 140 }],
  ['gpt-5-mini', patches(1536, 1.62)],
  ['gpt-5-nano', patches(1536, 2.46)],
  ['gpt-5.2', patches(1536, 1.2)],
  ['gpt-5.3', patches(1536, 1.2)],
  ['gpt-5.4', patches(2500, 1.2)],
  ['gpt-5.5', patches(2500, 1.2)],
  ['gpt-5.6', patches(2500, 1.2)],
  ['o1', { kind: 'tiles', baseTokens: 75, tileTokens: 150 }],
  ['o3', { kind: 'tiles', baseTokens: 75, tileTokens: 150 }],
  ['o4-mini', patches(1536, 1.72)],
  ['gemini-', crops],
  ['gemini-3', { kind: 'flat', tokens: 1120 }],
];

const rulesByProvider: Partial<Readonly<Record<Provider, ImageRule>>> = {
  anthropic: area,
  google: crops,
};

/** The rule of a model, else of its provider; OpenAI's tiles where neither is known. */
export function imageRuleOf(model: string | undefined, provider: Provider | undefined): ImageRule {
  const byModel =
    model === undefined ? undefined : longestPrefix(rulesByPrefix, bareModelName(model));
  if (byModel !== undefined) return byModel;
  const maker = provider ?? (model === undefined ? undefined : findModel(model)?.provider);
  return (maker === undefined ? undefined : rulesByProvider[maker]) ?? tiles;
}
