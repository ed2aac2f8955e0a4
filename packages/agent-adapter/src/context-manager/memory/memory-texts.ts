/** What a model is told of `ctx_remember`. */
export const rememberText: string = 'Keeps one fact for later sessions.';

/** What a model is told of `ctx_recall`. */
export const recallText: string = 'Finds facts that were kept in this or in earlier sessions.';
