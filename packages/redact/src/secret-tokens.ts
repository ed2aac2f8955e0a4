import { endOfRun, isWordStart, type SecretKind, type SecretSpan } from './secret-span.ts';

/** A kind of token that is known by how it begins. Source: the providers' documents, November 2026. */
interface TokenRule {
  readonly kind: SecretKind;
  readonly prefixes: readonly string[];
  /** The signs that do not belong to it. */
  readonly stop: RegExp;
  /** Least signs after the prefix. */
  readonly min: number;
  /** Most signs after the prefix; a longer run is something else. Default: any. */
  readonly max?: number;
  /** Whether at least one digit must be among them, since names in code begin alike. */
  readonly needsDigit?: boolean;
}

const noAlphanumeric = /[^A-Za-z0-9]/;
const noWordOrDash = /[^\w-]/;
/** Within how many signs a digit must come. */
const digitWindow = 64;

const tokenRules: readonly TokenRule[] = [
  {
    kind: 'aws-key',
    prefixes: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    stop: /[^A-Z0-9]/,
    min: 16,
    max: 16,
  },
  { kind: 'github-token', prefixes: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], stop: /\W/, min: 36 },
  { kind: 'github-token', prefixes: ['github_pat_'], stop: /\W/, min: 22 },
  {
    kind: 'slack-token',
    prefixes: ['xoxa-', 'xoxb-', 'xoxe-', 'xoxe.xoxp-', 'xoxp-', 'xoxr-', 'xoxs-', 'xapp-'],
    stop: noWordOrDash,
    min: 10,
    needsDigit: true,
  },
  { kind: 'slack-token', prefixes: ['hooks.slack.com/services/'], stop: /[^\w/]/, min: 20 },
  { kind: 'npm-token', prefixes: ['npm_'], stop: noAlphanumeric, min: 36 },
  { kind: 'anthropic-key', prefixes: ['sk-ant-'], stop: noWordOrDash, min: 20 },
  {
    kind: 'openai-key',
    prefixes: ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-None-'],
    stop: noWordOrDash,
    min: 20,
    needsDigit: true,
  },
  { kind: 'openai-key', prefixes: ['sk-'], stop: noAlphanumeric, min: 32, needsDigit: true },
  { kind: 'google-key', prefixes: ['AIza'], stop: noWordOrDash, min: 35 },
  { kind: 'google-key', prefixes: ['ya29.', 'GOCSPX-'], stop: noWordOrDash, min: 20 },
  {
    kind: 'stripe-key',
    prefixes: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'whsec_'],
    stop: noAlphanumeric,
    min: 16,
  },
];

const ruleOfPrefix: ReadonlyMap<string, TokenRule> = new Map(
  tokenRules.flatMap((rule) => rule.prefixes.map((prefix) => [prefix, rule] as const)),
);

/** How tokens begin. `eyJ` begins a JWT, `ctx_` a key of ctx. */
export const tokenPrefixes: readonly string[] = [...ruleOfPrefix.keys(), 'eyJ', 'ctx_'];

/** Literals only, longer before shorter where one begins another. */
const anyPrefix: RegExp = new RegExp(
  [...tokenPrefixes]
    .sort((a, b) => b.length - a.length)
    .map((prefix) => prefix.replace(/[./]/g, '\\$&'))
    .join('|'),
  'g',
);

/**
 * Finds tokens that begin in a known way.
 * Takes linear time: what is no token is left after the characters that a token needs, and what is one is skipped.
 */
export function findTokens(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  let searched = 0;
  for (const match of text.matchAll(anyPrefix)) {
    if (match.index < searched || !isWordStart(text, match.index)) continue;
    const span = tokenAt(text, match.index, match[0]);
    if (!span) continue;
    spans.push(span);
    searched = span.end;
  }
  return spans;
}

function tokenAt(text: string, start: number, prefix: string): SecretSpan | undefined {
  const rule = ruleOfPrefix.get(prefix);
  if (rule) return ruledTokenAt(text, start, { rule, from: start + prefix.length });
  // Behind a dash the run was looked at before; looking again would make hostile text slow.
  if (text.charAt(start - 1) === '-') return undefined;
  return prefix === 'eyJ' ? jwtAt(text, start) : ctxKeyAt(text, start);
}

function ruledTokenAt(
  text: string,
  start: number,
  { rule, from }: { rule: TokenRule; from: number },
): SecretSpan | undefined {
  const window = text.slice(from, endOfRun(text, from, { ...rule, limit: digitWindow }));
  if (window.length < rule.min || (rule.needsDigit && !/\d/.test(window))) return undefined;
  const end = endOfRun(text, from, rule);
  if (end - from > (rule.max ?? end)) return undefined;
  return { kind: rule.kind, start, end };
}

/** Three parts with dots between them, of which the first two are JSON objects. */
function jwtAt(text: string, start: number): SecretSpan | undefined {
  const rule = { stop: noWordOrDash };
  const header = endOfRun(text, start, rule);
  if (header - start < 10 || !text.startsWith('.eyJ', header)) return undefined;
  const payload = endOfRun(text, header + 1, rule);
  if (text.charAt(payload) !== '.') return undefined;
  const end = endOfRun(text, payload + 1, rule);
  return end - payload > 10 ? { kind: 'jwt', start, end } : undefined;
}

/** `ctx_<id>_<secret>` with 256 random bits: at least 43 signs, some of them digits. */
function ctxKeyAt(text: string, start: number): SecretSpan | undefined {
  const end = endOfRun(text, start, { stop: noWordOrDash });
  const [, id = '', ...rest] = text.slice(start, end).split('_');
  const secret = rest.join('_');
  const isKey = id !== '' && secret.length >= 43 && /\d/.test(secret);
  return isKey ? { kind: 'ctx-key', start, end } : undefined;
}
