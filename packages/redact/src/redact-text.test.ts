import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findSecrets } from './redact-text.ts';
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
