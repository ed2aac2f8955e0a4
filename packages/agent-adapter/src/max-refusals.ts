/** Refusals of one request after which its error is the caller's. */
export const maxRefusals = 3;
