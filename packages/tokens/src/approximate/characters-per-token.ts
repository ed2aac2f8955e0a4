/**
 * Characters a token, about: for cutting a text to size before anything is counted. Source: the 102 tool results over 2,000
 * characters of the session that `ctx replay --demo` replays hold 751,503 characters and 214,313 tokens of o200k_base.
 */
export const charactersPerToken = 3.5;
