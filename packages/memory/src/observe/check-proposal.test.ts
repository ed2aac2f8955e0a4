import { expect, test } from 'vitest';
import { refusalOf } from './check-proposal.ts';

/** Why a fact with this quote is refused, where a user said this. */
function refusal(said: string, text: string, quote = said): string | undefined {
  const message = { sequence: 0, speaker: 'user', text: said } as const;
  const fact = { sequence: 0, kind: 'identity', text, quote } as const;
  return refusalOf(fact, new Map([[0, message]]));
}

test.each([
  ['I live in Bern.', 'The user lives in Bern'],
  ["I'm Ada.", 'The user is called Ada'],
  ['I like tabs more than spaces.', 'The user prefers tabs more than spaces'],
  ["I don't live in Bern anymore.", 'The user no longer lives in Bern'],
  ['I used to live in Bern.', 'The user does not live in Bern'],
  ['We use PostgreSQL 16 in production.', 'The project uses PostgreSQL 16 in production'],
  ['Never push to main.', 'Never push to main'],
  ['My favourite color is blue.', "The user's favorite color is blue"],
  ['My boss likes tabs.', "The user's boss likes tabs"],
  ['I like tea.', 'The user likes tea'],
  ['I need a ramp.', 'The user needs a ramp'],
  ['No, I live in Bern.', 'The user lives in Bern'],
])('"%s" carries "%s"', (said, text) => {
  expect(refusal(said, text)).toBeUndefined();
});

test.each([
  ['I live in Bern.', 'The user does not live in Bern', 'denies'],
  ['I live in Bern.', 'The user never lives in Bern', 'denies'],
  ['I live in Bern.', 'The user died in Bern', 'does not say: di'],
  ['I live in Bern.', 'The user hates Bern', 'does not say: hate'],
  ['I live in Bern.', 'The user lives in Bern and works in Zurich', 'work, zurich'],
  ['I live in Bern.', 'The user lives in Bern with 3 dogs', 'does not say: 3'],
  ["I don't live in Bern.", 'The user lives in Bern', 'denies'],
  ['I used to live in Bern.', 'The user lives in Bern', 'denies'],
  ['Do I live in Bern?', 'The user lives in Bern', 'only asks'],
  ['If I live in Bern, stop.', 'The user lives in Bern', 'supposes'],
  ['My friend says I live in Bern.', 'The user lives in Bern', 'reports'],
  ['My boss likes tabs.', 'The user likes tabs', 'speaks of another: boss'],
])('"%s" does not carry "%s"', (said, text, reason) => {
  expect(refusal(said, text)).toContain(reason);
});

test.each([
  ['I do not like spaces. My boss likes tabs.', 'like spaces', 'The user likes spaces'],
  ['Should I use tabs? I ask for a friend.', 'use tabs', 'The user uses tabs'],
])('a quote that is cut out of "%s" carries no more than its sentence', (said, quote, text) => {
  expect(refusal(said, text, quote)).toBeDefined();
});

test('a sentence that asks does not undo another that states', () => {
  expect(
    refusal('Do I live in Bern? I live in Bern.', 'The user lives in Bern', 'I live in Bern'),
  ).toBe(undefined);
});

test('a clause with a subject of its own carries its fact, whatever the clause before it tells', () => {
  const said = 'My name is Ada and I work at Lovelace Engines.';
  const quote = 'I work at Lovelace Engines.';
  expect(refusal(said, 'The user works at Lovelace Engines', quote)).toBeUndefined();
  expect(
    refusal('My boss likes that I like tabs.', 'The user likes tabs', 'I like tabs'),
  ).toContain('speaks of another: boss');
});
