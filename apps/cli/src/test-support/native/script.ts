import fc from 'fast-check';

/** A call in a script, and how it ended. */
export interface ScriptCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly outcome: 'done' | 'error' | 'denied' | 'never' | 'late' | 'twice';
  readonly text: string;
  readonly hasParts: boolean;
  readonly hasImage: boolean;
  /** Whether somebody was asked before. */
  readonly needsApproval: boolean;
}

/** One thing that happens, in no format yet. */
export type Beat =
  | {
      readonly kind: 'user';
      readonly text: string;
      readonly isString: boolean;
      readonly hasImage: boolean;
    }
  | { readonly kind: 'system'; readonly text: string }
  | {
      readonly kind: 'answer';
      readonly thinking: string | undefined;
      readonly text: string | undefined;
      readonly isString: boolean;
      readonly calls: readonly ScriptCall[];
      /** Whether the provider ran a tool of its own. */
      readonly hasProviderTool: boolean;
    }
  /** A result whose call is not there. */
  | { readonly kind: 'orphan'; readonly id: string; readonly text: string };

/** What follows in the log of a format that has results as messages. */
export type Entry =
  | Exclude<Beat, { readonly kind: 'orphan' }>
  | { readonly kind: 'results'; readonly calls: readonly ScriptCall[] };

const anyText = fc.oneof(
  { weight: 5, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constant('') },
  { weight: 3, arbitrary: fc.nat(120).map((count) => 'a word, and '.repeat(count + 1)) },
);

const anyCall: fc.Arbitrary<Omit<ScriptCall, 'id'> & { readonly repeats: boolean }> = fc.record({
  name: fc.constantFrom('Read', 'get-weather', 'mcp__a-b__c'),
  input: fc.oneof(
    fc.constant({ path: 'src/a.ts' }),
    anyText.map((command) => ({ command })),
    fc.constant({}),
  ),
  outcome: fc.constantFrom('done', 'done', 'done', 'error', 'denied', 'never', 'late', 'twice'),
  text: anyText,
  hasParts: fc.boolean(),
  hasImage: fc.boolean(),
  needsApproval: fc.boolean(),
  repeats: fc.nat(15).map((number) => number === 0),
});

const anyAnswer = fc.record({
  kind: fc.constant('answer' as const),
  thinking: fc.option(anyText, { nil: undefined }),
  text: fc.option(anyText, { nil: undefined }),
  isString: fc.boolean(),
  calls: fc.array(anyCall, { maxLength: 3 }),
  hasProviderTool: fc.boolean(),
});

const anyBeat = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('user' as const),
      text: anyText,
      isString: fc.boolean(),
      hasImage: fc.boolean(),
    }),
  },
  { weight: 8, arbitrary: anyAnswer },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('system' as const), text: anyText }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('orphan' as const),
      id: fc.constantFrom('nobody', 'call-0', '__proto__'),
      text: anyText,
    }),
  },
);

/**
 * Any session: parallel, late, doubled, refused, failed and interrupted calls, ids that come again, approvals, tools of the
 * provider, thinking, images, empty texts, contents as strings and as parts, system messages in its midst, orphaned results,
 * several messages of one role in a row, and any beginning and end.
 */
export const anyScript: fc.Arbitrary<readonly Beat[]> = fc
  .array(anyBeat, { minLength: 1, maxLength: 12 })
  .map((beats) => {
    let count = 0;
    return beats.map((beat): Beat => {
      if (beat.kind !== 'answer') return beat;
      const calls = beat.calls.map(({ repeats, ...call }): ScriptCall => {
        if (!repeats) count += 1;
        return { ...call, id: `call-${String(count)}` };
      });
      return { ...beat, calls };
    });
  });

const orphanCall = (id: string, text: string): ScriptCall => ({
  id,
  name: 'Read',
  input: {},
  outcome: 'done',
  text,
  hasParts: false,
  hasImage: false,
  needsApproval: false,
});

/** The script as a log: results after their calls, late ones after the next message of the user, doubled ones at the end. */
export function logOf(script: readonly Beat[]): Entry[] {
  const entries: Entry[] = [];
  const ending: ScriptCall[] = [];
  let late: ScriptCall[] = [];
  for (const beat of script) {
    if (beat.kind === 'orphan') {
      entries.push({ kind: 'results', calls: [orphanCall(beat.id, beat.text)] });
      continue;
    }
    entries.push(beat);
    if (beat.kind === 'user' && late.length > 0) {
      entries.push({ kind: 'results', calls: late });
      late = [];
    }
    if (beat.kind !== 'answer') continue;
    const inTime = beat.calls.filter(({ outcome }) => outcome !== 'never' && outcome !== 'late');
    if (inTime.length > 0) entries.push({ kind: 'results', calls: inTime });
    late.push(...beat.calls.filter(({ outcome }) => outcome === 'late'));
    ending.push(...beat.calls.filter(({ outcome }) => outcome === 'twice'));
  }
  const last = [...late, ...ending];
  return last.length === 0 ? entries : [...entries, { kind: 'results', calls: last }];
}
