import { CtxError } from '@ctx/core';
import { type CachePrice, cachePrices } from '@ctx/truncation';

/** The price of a name; throws `CTX_INVALID_INPUT`, naming those that there are. */
export function priceNamed(name: string): CachePrice {
  const price = cachePrices.find((known) => known.name === name);
  if (price !== undefined) return price;
  const names = cachePrices.map((known) => known.name).join(', ');
  throw new CtxError('CTX_USAGE', `there is no price ${name}; there are ${names}`);
}
