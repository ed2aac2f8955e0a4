import { readFileSync } from 'node:fs';
import { encodeValue } from '@ctx/core/encoding';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor } from './redact.ts';

const redactor = createRedactor();

/** Random signs, the same at every run. Samples are made here, so that no secret stands in a source. */
function makeRandom(seed: number): (length: number, alphabet?: string) => string {
  let state = seed;
  const alphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  return (length, alphabet = alphanumeric) => {
    let text = '';
    while (text.length < length) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      text += alphabet.charAt((state >>> 8) % alphabet.length);
    }
    return text;
  };
}

const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

type Random = ReturnType<typeof makeRandom>;

function pem(random: Random, newline: string): string {
  const kind = ['RSA ', 'EC ', 'OPENSSH ', ''][random(1, '0123').charCodeAt(0) - 48] ?? '';
  const lines = [random(64, base64), random(64, base64), random(30, base64)];
  return [`-----BEGIN ${kind}PRIVATE KEY-----`, ...lines, `-----END ${kind}PRIVATE KEY-----`].join(
    newline,
  );
}

function jwt(random: Random): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'HS256' })}.${part({ sub: random(9) })}.${random(43, base64url)}`;
}

/** The twelve classes of S23: the secret, and text around it. */
const classes: Readonly<
  Record<string, (random: Random) => readonly [string, (secret: string) => string]>
> = {
  'AWS key': (random) => [
    `AKIA${random(16, upper)}`,
    (secret) => `aws_access_key_id = ${secret}\n`,
  ],
  'AWS secret': (random) => [
    random(40, base64),
    (secret) => `aws_secret_access_key=${secret}\nregion=x`,
  ],
  GitHub: (random) => [
    `ghp_${random(36)}`,
    (secret) => `git clone https://${secret}@github.com/a/b`,
  ],
  Slack: (random) => [
    `xoxb-${random(12, '0123456789')}-${random(24)}`,
    (secret) => `token ${secret}.`,
  ],
  npm: (random) => [`npm_${random(36)}`, (secret) => `//registry.npmjs.org/:_authToken=${secret}`],
  Anthropic: (random) => [`sk-ant-api03-${random(93, base64url)}AA`, (secret) => `key: ${secret}`],
  OpenAI: (random) => [
    `sk-proj-${random(60, base64url)}1`,
    (secret) => `OPENAI_API_KEY='${secret}'`,
  ],
  Google: (random) => [`AIza${random(35, base64url)}`, (secret) => `?key=${secret}&x=1`],
  PEM: (random) => [
    pem(random, random(1, '01') === '0' ? '\n' : '\\n'),
    (secret) => `a ${secret} b`,
  ],
  JWT: (random) => [jwt(random), (secret) => `session ${secret} ok`],
  Bearer: (random) => [`${random(30)}7`, (secret) => `curl -H "Authorization: Bearer ${secret}"`],
  Stripe: (random) => [`sk_live_${random(24)}`, (secret) => `stripe(${secret})`],
  'database URL': (random) => [
    random(16),
    (secret) => `postgres://app:${secret}@db.example:5432/x`,
  ],
  Basic: (random) => [random(24, base64), (secret) => `authorization: Basic ${secret}`],
  cookie: (random) => [random(30), (secret) => `Set-Cookie: sid=${secret}; Path=/`],
  'ctx key': (random) => [
    `ctx_${random(8)}_${random(42, base64url)}1`,
    (secret) => `use ${secret}`,
  ],
  'JSON setting': (random) => [`${random(14)}1a`, (secret) => `{"db_password": "${secret}"}`],
  'quoted JSON': (random) => [`${random(14)}1a`, (secret) => `"{\\"apiKey\\":\\"${secret}\\"}"`],
};

describe('recall', () => {
  test.each(Object.entries(classes))('finds %s', (_, make) => {
    const random = makeRandom(7);
    let found = 0;
    for (let run = 0; run < 200; run += 1) {
      const [secret, around] = make(random);
      const { value, receipt } = redactor.redact([around(secret)]);
      const isGone = !value.join('').includes(secret.slice(-12)) && receipt.total > 0;
      found += isGone ? 1 : 0;
    }
    expect(found).toBeGreaterThanOrEqual(190);
  });

  test.each([
    'password',
    'DB_PASSWORD',
    'clientSecret',
    'api_key',
    'apiKey',
    'access-token',
    'passphrase',
  ])('takes any string under the key %s', (key) => {
    expect(redactor.redact({ [key]: 'plain words' }).value).toEqual({
      [key]: '[redacted: named-secret #1]',
    });
  });

  test('takes the value that stands beside its name', () => {
    const { value } = redactor.redact([
      { name: 'DB_PASSWORD', value: 'horse' },
      { name: 'HOME', value: '/root' },
    ]);
    expect(value).toEqual([
      { name: 'DB_PASSWORD', value: '[redacted: named-secret #1]' },
      { name: 'HOME', value: '/root' },
    ]);
  });

  test('takes a private key whose end is cut off, and leaves what follows', () => {
    const random = makeRandom(3);
    const cut = `-----BEGIN PRIVATE KEY-----\n${random(64, base64)}\n${random(64, base64)}`;
    expect(redactor.redact(`x ${cut}\nthe end`).value).toBe(
      'x [redacted: private-key #1]\nthe end',
    );
  });

  test('takes a token behind a line break that is written out', () => {
    const token = `ghp_${makeRandom(1)(36)}`;
    expect(redactor.redact(`a\\n${token}`).value).toBe('a\\n[redacted: github-token #1]');
  });
});

describe('precision', () => {
  test.each([
    'const token = nextToken(stream);',
    'password: string;',
    'if (token === Token.Identifier) return secretKey;',
    'max_tokens: 100000',
    'if (contextToken === parent2.moduleSpecifier9)',
    'The Bearer authentication scheme',
    'basic example of a token store',
    'https://example.org:8080/path@2x.png',
    'postgres://user:${PASSWORD}@host/db',
    'postgres://user:<password>@host/db',
    'mailto://someone@example.org',
    '-----BEGIN CERTIFICATE-----\nMIIB0123456789abcdef\n-----END CERTIFICATE-----',
    'const begin = "-----BEGIN PRIVATE KEY-----";',
    'eyJhbGciOiJIUzI1NiJ9',
    'sk-loading-spinner-with-a-long-name-2',
    'ctx_create_something_with_a_very_long_name_indeed_2',
    'npm_config_registry',
    'cookie: string',
    'apiKey: process.env.API_KEY1',
    'token: "your-token-1"',
    'AKIASHORT',
  ])('leaves %j', (text) => {
    expect(redactor.redact(text)).toEqual({
      value: text,
      receipt: { mode: 'on', counts: {}, total: 0 },
    });
  });

  test('leaves ids, structure, bytes and opaque blocks', () => {
    const token = `ghp_${makeRandom(2)(36)}`;
    const value = {
      id: token,
      tool_use_id: token,
      sessionId: token,
      type: token,
      next_page_token: 'abc',
      count: 3,
      block: { type: 'thinking', thinking: token, signature: token },
      bytes: { $ctx: 'bytes', type: 'Buffer', base64: token },
      [token]: null,
      at: new Date(0),
    };
    expect(redactor.redact(value).value).toStrictEqual(value);
  });

  test('looks at an id that is named like a key', () => {
    expect(redactor.redact({ aws_access_key_id: 'x' }).receipt.total).toBe(1);
  });

  test('touches less than 1 % of the lines of 1 MB of source', () => {
    const path = new URL(import.meta.resolve('typescript')).pathname.replace(/typescript\.js$/, '');
    const files = ['lib.dom.d.ts', 'lib.es5.d.ts'].map((name) => readFileSync(path + name, 'utf8'));
    const source = [
      ...files,
      readFileSync(`${path}typescript.js`, 'utf8').slice(0, 1_000_000),
    ].join('\n');
    const lines = source.split('\n');
    const after = redactor.redact(source).value.split('\n');
    const touched = after.filter((line) => line.includes('[redacted: '));
    expect(touched.length / lines.length).toBeLessThan(0.01);
    expect(touched.length).toBeLessThan(20);
  });
});

describe('marks', () => {
  test('equal secrets stay equal, different ones differ, each kind counts for itself', () => {
    const random = makeRandom(5);
    const [a, b, npm] = [`ghp_${random(36)}`, `ghp_${random(36)}`, `npm_${random(36)}`];
    expect(redactor.redact({ first: `${a} ${b}`, second: [a, npm], password: b })).toEqual({
      value: {
        first: '[redacted: github-token #1] [redacted: github-token #2]',
        second: ['[redacted: github-token #1]', '[redacted: npm-token #1]'],
        password: '[redacted: github-token #2]',
      },
      receipt: { mode: 'on', counts: { 'github-token': 4, 'npm-token': 1 }, total: 5 },
    });
  });

  test('redacting twice changes nothing more', () => {
    const random = makeRandom(11);
    const value = Object.values(classes).map((make) => {
      const [secret, around] = make(random);
      return {
        password: `x ${secret}`,
        cookie: `a=${secret}`,
        text: `${around(secret)} ${secret}`,
      };
    });
    const once = redactor.redact(value);
    expect(redactor.redact(once.value)).toEqual({
      value: once.value,
      receipt: { mode: 'on', counts: {}, total: 0 },
    });
    expect(redactor.redact(value)).toEqual(once);
  });

  test('never changes the input, nor its structure', () => {
    const shapeOf = (value: unknown): string =>
      JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? '' : part));
    fc.assert(
      fc.property(fc.jsonValue(), (input) => {
        const before = JSON.stringify(input);
        const { value, receipt } = redactor.redact(input);
        expect(JSON.stringify(input)).toBe(before);
        // A name such as `pwd` comes up by chance.
        if (receipt.total === 0) expect(value).toEqual(input);
        expect(shapeOf(value)).toBe(shapeOf(input));
      }),
      { examples: [[{ list: [{ pwd: ' ', n: -0 }] }]] },
    );
  });
});

describe('modes', () => {
  const token = `ghp_${makeRandom(4)(36)}`;

  test('report counts and changes nothing', () => {
    expect(createRedactor({ mode: 'report' }).redact([token])).toEqual({
      value: [token],
      receipt: { mode: 'report', counts: { 'github-token': 1 }, total: 1 },
    });
  });

  test('off gives the same object back', () => {
    const value = [token];
    expect(createRedactor({ mode: 'off' }).redact(value).value).toBe(value);
  });

  test('a receipt holds no secret', () => {
    expect(JSON.stringify(redactor.redact({ token }).receipt)).not.toContain(token.slice(8, 20));
  });
});

describe('hostile input', () => {
  test('takes cycles, depth and own keys named __proto__', () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    const copy = redactor.redact(cycle).value;
    expect(copy[0]).toBe(copy);
    let deep: unknown = 'x';
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(redactor.redact(deep).receipt.total).toBe(0);
    const forged = redactor.redact(JSON.parse('{"__proto__":{"password":"abc"}}') as object).value;
    expect(JSON.stringify(forged)).toBe('{"__proto__":{"password":"[redacted: named-secret #1]"}}');
    expect(redactor.redact(encodeValue(new Map([['a', 1n]]))).receipt.total).toBe(0);
  });

  test.each([
    'a',
    ' ',
    '-',
    'eyJ-',
    'eyJa.eyJa.',
    'ctx_-',
    'ctx_a_',
    'xoxb-',
    'sk-proj-',
    'sk-',
    'AKIA',
    'ghp_ ',
    '://',
    '://a:',
    'token=',
    'password="',
    'api_key:\\"',
    'cookie:a=',
    'set-cookie:a=;',
    'bearer ',
    'authorization:',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----aaaaaaaaaaaaaaaaaaaa',
  ])('comes to an end on 1 MB of repetitions of %j', (part) => {
    // No stop watch: quadratic work on 1 MB takes minutes and runs into the time limit of the test.
    const text = part.repeat(Math.ceil(1_000_000 / part.length));
    expect(redactor.redact(text).value.length).toBeLessThanOrEqual(text.length * 3);
  });
});

test('what a name says of its text stays the same, however many names came before', () => {
  const names = Array.from({ length: 2_500 }, (_, place) => `field${String(place)}`);
  const long = `${'x'.repeat(200)}_password`;
  const told = { password: 'correct horse', [long]: 'battery staple', uuid: 'password: hunter22!' };
  for (const before of [{}, Object.fromEntries(names.map((name) => [name, 'text'])), {}]) {
    redactor.redact(before);
    const { value } = redactor.redact(told);
    expect(value.uuid).toBe(told.uuid);
    expect(value.password).toBe('[redacted: named-secret #1]');
    expect(value[long]).toBe('[redacted: named-secret #2]');
  }
});
