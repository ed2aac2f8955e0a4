export type { Answer } from './answer.ts';
export { entryOf, entrySchemas } from './entries.ts';
