import { describe, expect, it } from 'vitest';
import { ask, isPassing, Refusal } from './ask.ts';

describe('an answer of the server', () => {
  it('that refuses is told in its own words', async () => {
    const response = new Response(null, { status: 409 });
    const call = Promise.resolve({ error: { title: 'No', detail: 'It has changed.' }, response });
    await expect(ask(call)).rejects.toThrow('It has changed.');
    const silent = Promise.resolve({ response: new Response(null, { status: 500 }) });
    await expect(ask(silent)).rejects.toThrow('The server answered 500.');
  });

  it('is asked for again where it is busy or away, and not where it said no', () => {
    const tried = [429, 503, 401, 404, 409].map((status) => isPassing(new Refusal(status, '')));
    expect(tried).toEqual([true, true, false, false, false]);
    expect(isPassing(new TypeError('fetch failed'))).toBe(true);
  });
});
