export { approximateTokens } from './approximate-tokens.ts';
