import { expect, it } from 'vitest';
import { secretOf } from './secret-of.ts';

it('the secret of a key is all behind the id, also where it begins with an underscore', () => {
  const id = '0'.repeat(16);
  expect(secretOf(`ctx_${id}_abc_d`)).toBe('abc_d');
  expect(secretOf(`ctx_${id}__abc`)).toBe('_abc');
});
