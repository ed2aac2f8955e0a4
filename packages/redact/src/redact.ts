import { isPlainContainer, setOwn, tagKey } from '@ctx/core/encoding';
import { findSecrets, replaceSecrets } from './redact-text.ts';
import { secretKindOfKey } from './secret-settings.ts';
import type { SecretKind, SecretSpan } from './secret-span.ts';

/** `on` replaces secrets, `report` only counts them, `off` does not look. */
export type RedactionMode = 'on' | 'report' | 'off';

/** What was found. Counts only, never values. */
export interface RedactionReceipt {
  readonly mode: RedactionMode;
  /** Places by kind of secret; kinds not found are missing. */
  readonly counts: Readonly<Partial<Record<SecretKind, number>>>;
  readonly total: number;
}

export interface Redacted<Value> {
  readonly value: Value;
  readonly receipt: RedactionReceipt;
}

/**
 * Takes secrets out of content before it is counted, fingerprinted and stored.
 * Works on the string leaves of plain JSON data (encode other values first); keeps structure, keys, ids, bytes and
 * opaque provider blocks; equal secrets of one call get equal marks; pure, and redacting twice changes nothing more. A value without secrets is
 * given back itself.
 */
export interface Redactor {
  redact<Value>(value: Value): Redacted<Value>;
}

/** Blocks that a provider has signed or encrypted: one changed sign makes them invalid. */
const opaqueTypes: ReadonlySet<unknown> = new Set([
  'opaque',
  'thinking',
  'redacted_thinking',
  'reasoning',
]);
const none: readonly SecretSpan[] = [];
const markPattern = /\[redacted: [a-z-]{1,40} #\d{1,9}\]/;

/**
 * Makes the redactor with ctx's own rules: keys of AWS, GitHub, Slack, npm, Anthropic, OpenAI, Google and Stripe, private
 * keys, JWTs, Authorization headers, passwords in URLs, cookies, keys of ctx, and strings under names such as `password`.
 * A secret becomes `[redacted: github-token #1]`, numbered within the value. Default mode `on`.
 * Takes time linear in the text, about 5 ms per MB where nothing looks like a secret, else up to 30 ms. Not a guarantee: a secret without a shape or a telling name is not found.
 */
export function createRedactor(options: { readonly mode?: RedactionMode } = {}): Redactor {
  const mode = options.mode ?? 'on';
  return {
    redact: <Value>(value: Value): Redacted<Value> => {
      if (mode === 'off') return { value, receipt: { mode, counts: {}, total: 0 } };
      if (!mayHoldSecrets(value)) return { value, receipt: { mode, counts: {}, total: 0 } };
      const found = beginFindings();
      const copy = walk(value, found);
      const { counts, total } = found;
      // The copy has the shape of the value: only string leaves differ.
      return { value: mode === 'on' ? (copy as Value) : value, receipt: { mode, counts, total } };
    },
  };
}

interface Findings {
  readonly labels: Map<string, string>;
  readonly numbers: Map<SecretKind, number>;
  readonly counts: Partial<Record<SecretKind, number>>;
  total: number;
}

function beginFindings(): Findings {
  return { labels: new Map(), numbers: new Map(), counts: {}, total: 0 };
}

function labelOf(found: Findings, kind: SecretKind, secret: string): string {
  found.counts[kind] = (found.counts[kind] ?? 0) + 1;
  found.total += 1;
  const known = found.labels.get(secret);
  if (known !== undefined) return known;
  const number = (found.numbers.get(kind) ?? 0) + 1;
  const label = `[redacted: ${kind} #${String(number)}]`;
  found.numbers.set(kind, number);
  found.labels.set(secret, label);
  return label;
}

/** How much of a value is looked through before all of it is copied. */
interface LookBudget {
  left: number;
}

/** Values that are looked through: what leads back to itself ends here. */
const maxLooks = 100_000;

/** Deepest value that is looked through. */
const maxLookDepth = 100;

/** Whether a copy may differ from the value: most hold no secret, and need none. Looks where {@link walk} looks. */
function mayHoldSecrets(root: unknown): boolean {
  const budget: LookBudget = { left: maxLooks };
  const mayHold = (value: unknown, key: string, depth: number): boolean => {
    budget.left -= 1;
    if (budget.left < 0 || depth > maxLookDepth) return true;
    if (typeof value === 'string') return spansOfLeaf(value, key).length > 0;
    if (!isPlainContainer(value) || isUntouchable(value)) return false;
    if (Array.isArray(value)) {
      return value.some((child, index) => mayHold(child, String(index), depth + 1));
    }
    return Object.keys(value).some((name) =>
      mayHold(value[name], name === 'value' ? nameOfPair(value) : name, depth + 1),
    );
  };
  return mayHold(root, '', 0);
}

interface Step {
  readonly source: object;
  readonly target: object;
}

/** Copies plain data, iteratively; everything else is given back as it is. */
function walk(root: unknown, found: Findings): unknown {
  const made = new Map<object, object>();
  const steps: Step[] = [];
  const visit = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') return redactLeaf(value, key, found);
    if (!isPlainContainer(value) || isUntouchable(value)) return value;
    const known = made.get(value);
    if (known) return known;
    const target = Array.isArray(value) ? [] : {};
    made.set(value, target);
    steps.push({ source: value, target });
    return target;
  };
  const result = visit(root, '');
  // Level by level; grows while it is walked.
  for (const { source, target } of steps) {
    const named = nameOfPair(source);
    for (const [key, child] of Object.entries(source)) {
      setOwn(target, key, visit(child, key === 'value' ? named : key));
    }
  }
  return result;
}

/** In `{ name: 'DB_PASSWORD', value: '…' }` the name stands beside its value. */
function nameOfPair(source: object): string {
  for (const key of ['name', 'key', 'header']) {
    const name: unknown = Object.hasOwn(source, key) ? Reflect.get(source, key) : undefined;
    if (typeof name === 'string') return name;
  }
  return 'value';
}

function isUntouchable(source: object): boolean {
  const type: unknown = Object.hasOwn(source, 'type') ? Reflect.get(source, 'type') : undefined;
  if (opaqueTypes.has(type)) return true;
  return Object.hasOwn(source, tagKey) && Reflect.get(source, tagKey) === 'bytes';
}

/** The secrets of a text that stands under `key`. */
function spansOfLeaf(text: string, key: string): readonly SecretSpan[] {
  const { kind, isId } = factsOfKey(key);
  if (isId) return none;
  const spans = findSecrets(text);
  return kind === undefined || markPattern.test(text) ? spans : wholeOf(text, kind, spans);
}

function redactLeaf(text: string, key: string, found: Findings): string {
  const used = spansOfLeaf(text, key);
  if (used.length === 0) return text;
  return replaceSecrets(text, used, (spanKind, secret) => labelOf(found, spanKind, secret));
}

/** One span over all of the text, of the kind that its shape tells, else of the kind that its key tells. */
function wholeOf(text: string, kind: SecretKind, spans: readonly SecretSpan[]): SecretSpan[] {
  if (text === '') return [];
  const [first] = spans;
  const isWhole = first?.start === 0 && first.end === text.length;
  return [{ kind: isWhole ? first.kind : kind, start: 0, end: text.length }];
}

/** What a name says of the text under it. */
interface KeyFacts {
  readonly kind: SecretKind | undefined;
  /** Whether the text is an id, which stays as it is. */
  readonly isId: boolean;
}

/** The names that came: few, and the same in record after record. To look one up takes a tenth of what reading it takes. */
const knownKeys = new Map<string, KeyFacts>();
const mostKnownKeys = 1_000;
const longestKnownKey = 100;

function factsOfKey(key: string): KeyFacts {
  const known = knownKeys.get(key);
  if (known !== undefined) return known;
  const kind = secretKindOfKey(key);
  const facts = { kind, isId: kind === undefined && isIdKey(key) };
  if (key.length > longestKnownKey) return facts;
  if (knownKeys.size >= mostKnownKeys) knownKeys.clear();
  knownKeys.set(key, facts);
  return facts;
}

function isIdKey(key: string): boolean {
  return key === tagKey || /^(?:id|uuid|type|role)$|(?:_id|Id|_ids|Ids)$/.test(key);
}
