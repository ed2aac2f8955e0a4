import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test, vi } from 'vitest';

/** LangGraph's suite looks for the test functions among the globals. Import this before it. */
Object.assign(globalThis, {
  ...{ afterAll, afterEach, beforeAll, beforeEach },
  ...{ describe, expect, it, test, vi },
});
