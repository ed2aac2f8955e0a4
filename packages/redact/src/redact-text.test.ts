import fc from 'fast-check';
import { expect, test } from 'vitest';
import { finderChoice, findSecrets, signsOfFinders } from './redact-text.ts';
import {
  findAuthorizations,
  findCookies,
  findPrivateKeys,
  findUrlPasswords,
} from './secret-contexts.ts';
import { findSettings } from './secret-settings.ts';
import { findTokens } from './secret-tokens.ts';

const finders = [
  findPrivateKeys,
  findTokens,
  findAuthorizations,
  findUrlPasswords,
  findCookies,
  findSettings,
];

/** Beginnings and ends of secrets, joined at random; most are none. */
const part = fc.constantFrom(
  ...[
    'AKIA',
    'akia',
    'ghp_',
    'github_pat_',
    'xoxe.xoxp-',
    'hooks.slack.com/services/',
    'npm_',
    'sk-',
    'sk-ant-',
  ],
  ...[
    'AIza',
    'ya29.',
    'sk_live_',
    'eyJ',
    'ctx_',
    'Bearer ',
    'BASIC\t',
    'token ',
    'Authorization: ',
    'https://',
  ],
  ...[
    'user:pa55word',
    '@host',
    'Set-Cookie: ',
    'COOKIE":',
    'a=b1234567',
    'PASSWORD',
    'passwd',
    'passphrase',
    'pwd',
  ],
  ...[
    'client_secret',
    'api-key',
    'apikey',
    'API_KEY',
    'access_key_id',
    'AccountKey',
    'secret-key',
    'privateKey',
  ],
  ...[
    'signing_key',
    'encryption-key',
    'authKey',
    'credential',
    'credentials',
    '=',
    ': "',
    "='",
    '"',
    ' ',
    '\n',
    '\\n',
  ],
  ...[
    '-----BEGIN RSA PRIVATE KEY-----\n',
    '-----END RSA PRIVATE KEY-----',
    'A1'.repeat(20),
    'A1'.repeat(8),
    'Authorization: token abcdef12',
    'AKIA1234567890ABCDEF',
    'ü漢',
    'ſ',
  ],
);

test('no finder that would find something is left out', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const text = `${parts.join('')}        `;
      const covered = finders.flatMap((find) => find(text));
      const found = findSecrets(text);
      for (const span of covered) {
        expect(found.some(({ start, end }) => start <= span.start && span.end <= end)).toBe(true);
      }
      expect(found.length === 0).toBe(covered.length === 0);
    }),
    { numRuns: 2_000 },
  );
});

test('the finders of a text are the same before and after the automaton is made, and a few texts make none', () => {
  let times = 0;
  const choose = () =>
    finderChoice(() => {
      times += 1;
      return signsOfFinders();
    });
  const late = choose();
  late('x'.repeat(300_000));
  expect(times).toBe(1);
  const early = choose();
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const text = parts.join('').slice(0, 500);
      expect(early(text)).toEqual(late(text));
    }),
  );
  expect(times).toBe(1);
});
