export { allOf, type Condition, compares, equalTos, inRange } from './conditions.ts';
export { planDefinitions } from './plan-definitions.ts';
export { planViews } from './plan-views.ts';
export { quoteName } from './quote-name.ts';
export { columnValue, keyOf, tallyOfRow } from './read-row.ts';
export { rangeCondition, scanStretches } from './scan-stretches.ts';
export { type SqlIndex, sqlIndexes } from './sql-indexes.ts';
