import type { Provider } from '../models/models.ts';
import { type ImageRule, imageRuleOf } from './image-rules.ts';
import { type ImageSize, imageSize } from './image-size.ts';

/** Options of {@link imageTokens}. */
export interface ImageTokenOptions {
  readonly model?: string;
  /** Used where the model is not given or not known. */
  readonly provider?: Provider;
  /** OpenAI's `detail`; `auto` counts as high. Default `high`. Other providers have none. */
  readonly detail?: 'low' | 'high' | 'auto';
}

/** What is assumed of an image whose size cannot be read, such as one behind a URL, which is never fetched. */
export const assumedImageSize: ImageSize = { width: 1024, height: 1024 };

/** Larger sizes than any provider takes are damaged or hostile headers. */
const maxEdge = 65_535;

/**
 * Returns the tokens of an image by the rule of the model or provider: of its bytes, its base64 or its size in pixels. Reads
 * the headers of PNG, JPEG, GIF and WebP. At least 1; an image whose size cannot be told counts as 1,024 × 1,024 px.
 */
export function imageTokens(
  image: Uint8Array | string | ImageSize | undefined,
  options: ImageTokenOptions = {},
): number {
  const isFile = typeof image === 'string' || image instanceof Uint8Array;
  const { width, height } = saneSize((isFile ? imageSize(image) : image) ?? assumedImageSize);
  const rule = imageRuleOf(options.model, options.provider);
  const tokens =
    options.detail === 'low' && rule.kind === 'tiles'
      ? rule.baseTokens
      : byRule(rule, width, height);
  return Math.max(1, tokens);
}

function saneSize({ width, height }: ImageSize): ImageSize {
  const isSane = (edge: number): boolean => edge >= 1 && edge <= maxEdge;
  return isSane(width) && isSane(height) ? { width, height } : assumedImageSize;
}

function byRule(rule: ImageRule, width: number, height: number): number {
  switch (rule.kind) {
    case 'area':
      return byArea(rule, width, height);
    case 'tiles':
      return byTiles(rule, width, height);
    case 'patches':
      return byPatches(rule, width, height);
    case 'crops':
      return byCrops(width, height);
    case 'flat':
      return rule.tokens;
  }
}

function byArea(rule: ImageRule & { kind: 'area' }, width: number, height: number): number {
  const scale = Math.min(1, rule.longEdge / Math.max(width, height));
  return Math.min(rule.maxTokens, Math.ceil((width * scale * height * scale) / 750));
}

function byTiles(rule: ImageRule & { kind: 'tiles' }, width: number, height: number): number {
  const fit = Math.min(1, 2048 / Math.max(width, height));
  const shrink = Math.min(1, 768 / (Math.min(width, height) * fit));
  const count = (edge: number): number =>
    Math.max(1, Math.ceil(Math.round(edge * fit * shrink) / 512));
  return rule.baseTokens + rule.tileTokens * count(width) * count(height);
}

function byPatches(rule: ImageRule & { kind: 'patches' }, width: number, height: number): number {
  const needed = Math.ceil(width / 32) * Math.ceil(height / 32);
  const patches =
    needed <= rule.maxPatches ? needed : scaledPatches(rule.maxPatches, width, height);
  return Math.ceil(patches * rule.multiplier);
}

/** Scales to the budget, then down until one edge is a whole number of patches, as OpenAI's guide shows. */
function scaledPatches(maxPatches: number, width: number, height: number): number {
  const scale = Math.sqrt((32 * 32 * maxPatches) / (width * height));
  const columns = (width * scale) / 32;
  const rows = (height * scale) / 32;
  const snap = Math.min(Math.floor(columns) / columns, Math.floor(rows) / rows);
  const whole = (count: number): number => Math.max(1, Math.ceil(count * snap - 1e-6));
  return Math.min(maxPatches, whole(columns) * whole(rows));
}

function byCrops(width: number, height: number): number {
  if (width <= 384 && height <= 384) return 258;
  const unit = Math.min(768, Math.max(256, Math.floor(Math.min(width, height) / 1.5)));
  return 258 * Math.ceil(width / unit) * Math.ceil(height / unit);
}
