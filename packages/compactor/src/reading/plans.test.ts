import { expect, test } from 'vitest';
import { assistant, step, user } from '../test-support/conversation.ts';
import { isFinishedStatus, latestPlan, latestSteps } from './plans.ts';
import { readHistory } from './read-history.ts';

test('the newest plan of a tool counts, with the status of its steps', () => {
  const history = readHistory([
    ...step('c1', 'TodoWrite', { todos: [{ content: 'old', status: 'pending' }] }, 'ok'),
    ...step('c2', 'update_plan', { plan: [{ step: 'new', status: 'in_progress' }, 'bare'] }, 'ok'),
    ...step('c3', 'Read', { todos: [{ content: 'no plan' }] }, 'x'),
  ]);
  expect(latestSteps(history)).toEqual([
    { text: 'new', status: 'in_progress' },
    { text: 'bare', status: 'pending' },
  ]);
  expect(latestPlan(history)).toEqual(['[in_progress] new', '[pending] bare']);
});

test('a plan handed in as text counts, then a list that the assistant announced', () => {
  const tool = readHistory(step('c1', 'ExitPlanMode', { plan: '# Plan\n1. a\n\n2. b' }, 'ok'));
  expect(latestPlan(tool)).toEqual(['# Plan', '1. a', '2. b']);
  const said = readHistory([user('Go.'), assistant('The next steps:\n- a\n- b\n- c')]);
  expect(latestPlan(said)).toEqual(['The next steps:', '- a', '- b', '- c']);
  expect(latestPlan(readHistory([assistant('Hello.')]))).toEqual([]);
});

test.each(['completed', 'Done', 'CANCELLED', ' failed '])('%s is finished', (status) => {
  expect(isFinishedStatus(status)).toBe(true);
});

test('a status that nobody knows is open', () => {
  expect(isFinishedStatus('waiting for review')).toBe(false);
});
