export { approximateTokens } from './approximate-tokens.ts';
export { charactersPerToken } from './characters-per-token.ts';
