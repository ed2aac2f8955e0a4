import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressOf, outputAddress } from './output-address.ts';

describe('the address of an output', () => {
  it('is read back whatever the session is called, also by the parser of URLs', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (sessionId) => {
        const uri = new URL(outputAddress(sessionId, 'Bash_1-a')).href;
        expect(addressOf(uri)).toEqual({ sessionId, pointer: 'Bash_1-a', isMessages: false });
      }),
    );
  });

  it.each(['outputs', 'messages', '.', '..', 'a/b?from=2', '%6futputs'])(
    'is read back for a session that is called %s',
    (sessionId) => {
      const uri = new URL(outputAddress(sessionId, 'Bash_1-a')).href;
      expect(addressOf(uri)).toEqual({ sessionId, pointer: 'Bash_1-a', isMessages: false });
    },
  );

  it('takes lines', () => {
    expect(addressOf('ctx://s/id?from=3&to=9')).toMatchObject({ from: 3, to: 9 });
    expect(addressOf('ctx://s/id?to=9')).toMatchObject({ to: 9 });
  });

  it('as it stands in a conversation names the session that is connected', () => {
    expect(addressOf('ctx://outputs/id')).toEqual({ pointer: 'id', isMessages: false });
    expect(addressOf('ctx://messages/3-9')).toEqual({
      pointer: 'ctx://messages/3-9',
      isMessages: true,
    });
  });

  it.each([
    'http://s/id',
    'ctx://s',
    'ctx://s/',
    'ctx://s/a/b',
    'ctx://s/id?from=0',
    'ctx://s/id?from=1234567890',
    'ctx://%/id',
  ])('is refused as %s', (uri) => {
    expect(() => addressOf(uri)).toThrow(expect.objectContaining({ code: 'CTX_INVALID_ADDRESS' }));
  });
});
