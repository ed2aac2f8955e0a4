import { expect, test } from 'vitest';
import { surveyHistory } from '../../reading/read-history.ts';
import { assistant, step, user } from '../../test-support/conversation.ts';
import { createCorpus } from './corpus.ts';
import { factLines } from './fact-lines.ts';
import { sourceBlocks } from './source-blocks.ts';

const factsOf = (messages: Parameters<typeof surveyHistory>[0]): string[] =>
  factLines(createCorpus(sourceBlocks(surveyHistory(messages)))).map(({ text }) => text);

test('statements with a name or number are facts, the user first', () => {
  const facts = factsOf([
    ...step('c1', 'Bash', { command: 'cat notes' }, 'The gateway of Turku is 10.4.0.1.'),
    assistant('The owner of the export is Ines.'),
    user('My sister moved to Porto in 2019.'),
  ]);
  expect(facts[0]).toBe('My sister moved to Porto in 2019.');
  expect(facts.slice(1).sort()).toEqual([
    'The gateway of Turku is 10.4.0.1.',
    'The owner of the export is Ines.',
  ]);
});

test.each([
  ['code', 'const Port = config.port || 8080;'],
  ['a line of a log', '2026-01-14 11:58:20 INFO checkpoint is saved at Turku by 7'],
  ['settings of a log', 'saved with id=7 name=Turku size=9 at 8 by Ines'],
  ['a comment in code', 'value := 7 // the Port is 7'],
  ['a question of grammar', 'It is what it is and was.'],
  ['a list that ties nothing together', 'Turku and Porto, Ines and 9 bright otters'],
])('%s is no fact', (_, line) => {
  expect(factsOf(step('c1', 'Bash', { command: 'x' }, line))).toEqual([]);
});

test('what the assistant is about to do is no fact, what the user is, is', () => {
  expect(factsOf([assistant('Let me check how GetStrategy is used in 3 places.')])).toEqual([]);
  expect(factsOf([user('I need the report by 9 March in Turku.')])).toHaveLength(1);
});

test('the user needs neither number nor name, and may write in Chinese', () => {
  const said = ['my favourite animal is the otter', '请记住:数据库的端口是五四三二,不要改动它。'];
  expect(factsOf(said.map((one) => user(one))).sort()).toEqual(said.sort());
  expect(factsOf([assistant('my favourite animal is the otter')])).toEqual([]);
});
