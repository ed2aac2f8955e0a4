import { type CachePrice, cachePriceOf, modelProfile, pricesDate } from '@ctx/truncation';

/** When the prices of models were last looked over. */
const modelPricesDate = '2026-11-05';

/** US dollars for a million tokens: plain input, output; what a cached token costs relative to a plain one, where that is not a tenth. */
type ListPrice = readonly [input: number, output: number, read?: number];

/**
 * List prices by model. Source: public copies of the providers' price pages and of lists made from them, not the live pages. Models whose
 * price depends on the length of the prompt are left out and priced by their class.
 */
const listPrices: ReadonlyMap<string, ListPrice> = new Map<string, ListPrice>([
  ['claude-fable-5', [10, 50]],
  ['claude-fable-5-1', [10, 50, 0.025]],
  ['claude-opus-4', [15, 75]],
  ['claude-opus-4-1', [15, 75]],
  ['claude-opus-4-5', [5, 25]],
  ['claude-opus-4-6', [5, 25]],
  ['claude-opus-4-7', [5, 25]],
  ['claude-opus-4-8', [5, 25]],
  ['claude-opus-5', [5, 25]],
  ['claude-opus-5-5', [4, 20, 0.05]],
  ['claude-3-7-sonnet', [3, 15]],
  ['claude-sonnet-4', [3, 15]],
  ['claude-sonnet-4-5', [3, 15]],
  ['claude-sonnet-4-6', [3, 15]],
  ['claude-sonnet-5', [2, 10]],
  ['claude-sonnet-5-5', [2, 10, 0.05]],
  ['claude-3-5-haiku', [0.8, 4]],
  ['claude-haiku-4-5', [1, 5]],
  ['gpt-4.1', [2, 8, 0.25]],
  ['gpt-4.1-mini', [0.4, 1.6, 0.25]],
  ['gpt-4o', [2.5, 10, 0.5]],
  ['gpt-4o-mini', [0.15, 0.6, 0.5]],
  ['gpt-5', [1.25, 10]],
  ['gpt-5-codex', [1.25, 10]],
  ['gpt-5-mini', [0.25, 2]],
  ['gpt-5-nano', [0.05, 0.4]],
  ['gpt-5.1', [1.25, 10]],
  ['gpt-5.1-codex', [1.25, 10]],
  ['gpt-5.2', [1.75, 14]],
  ['gpt-5.2-codex', [1.75, 14]],
  ['gpt-5.3-codex', [1.75, 14]],
  ['o3', [2, 8, 0.25]],
  ['o4-mini', [1.1, 4.4, 0.25]],
]);

/** What only names a version of the same model: a day, `latest`, the version of a host. */
const version = /[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$|-v\d+(?::\d+)?$/;

/** The name without the provider before it and the version after it. */
function listName(model: string): string {
  let name = model.toLowerCase().replace(/^.*\/|^.*anthropic\./, '');
  while (version.test(name)) name = name.replace(version, '');
  return name;
}

/** What the requests of a model are priced by. */
export interface ModelPrice {
  readonly price: CachePrice;
  /** Whether it is the list price of the model; else that of a mid-size model of its class. */
  readonly isOfModel: boolean;
  /** When the price was last looked over. */
  readonly pricesDate: string;
}

/** Returns the price of a model, else that of its class; Anthropic's for an unknown model. */
export function priceOfModel(model: string | undefined): ModelPrice {
  const price = cachePriceOf(model === undefined ? 'anthropic-5m' : modelProfile(model).price);
  const listed = model === undefined ? undefined : listPrices.get(listName(model));
  if (listed === undefined) return { price, isOfModel: false, pricesDate };
  const [dollarsPerMillion, output, read = price.read] = listed;
  const own = { dollarsPerMillion, output: output / dollarsPerMillion, read };
  return { price: { ...price, ...own }, isOfModel: true, pricesDate: modelPricesDate };
}
