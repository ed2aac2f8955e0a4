import { expect, test } from 'vitest';
import { assistant, call, result, step, user } from '../test-support/conversation.ts';
import { isFinishedStatus, latestPlan, latestSteps } from './plans.ts';
import { surveyHistory } from './read-history.ts';

test('the newest plan of a tool counts, with the status of its steps', () => {
  const history = surveyHistory([
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

test('steps that a tool keeps one by one count as they stand after all calls', () => {
  const create = (id: string, subject: string, answer: string) =>
    step(id, 'TaskCreate', { subject, description: 'more' }, answer);
  const update = (id: string, input: unknown) => step(id, 'TaskUpdate', input, 'ok');
  const history = surveyHistory([
    ...step('c0', 'TodoWrite', { todos: [{ content: 'old' }] }, 'ok'),
    ...create('c1', 'Write tests', 'Task #1 created successfully: Write tests'),
    ...create('c2', 'Wire the hooks', 'Task #2 created'),
    ...create('c3', 'No number', 'done'),
    ...create('c4', 'Not wanted', 'Task #4 created'),
    ...update('c5', { taskId: '1', status: 'completed' }),
    ...update('c6', { taskId: '2', status: 'in_progress', subject: 'Wire all hooks' }),
    ...update('c7', { taskId: '4', status: 'deleted' }),
    ...update('c8', { taskId: '9', status: 'completed' }),
    ...step('c9', 'TaskStop', { task_id: '2' }, 'ok'),
  ]);
  expect(latestSteps(history)).toEqual([
    { text: 'old', status: 'pending' },
    { text: 'Write tests', status: 'completed' },
    { text: 'Wire all hooks', status: 'in_progress' },
    { text: 'No number', status: 'pending' },
    { text: 'Not wanted', status: 'deleted' },
  ]);
});

test('a step that could not be made is none, and a whole plan takes the place of single steps', () => {
  const failed = [
    assistant(call('c1', 'TaskCreate', { subject: 'Lost' })),
    user(result('c1', 'no such list', true)),
  ];
  expect(latestSteps(surveyHistory(failed))).toEqual([]);
  const both = surveyHistory([
    ...step('c1', 'TaskCreate', { subject: 'One' }, 'Task #1 created'),
    ...step('c2', 'TodoWrite', { todos: [{ content: 'All', status: 'pending' }] }, 'ok'),
  ]);
  expect(latestSteps(both)).toEqual([{ text: 'All', status: 'pending' }]);
});

test('a plan handed in as text counts, then a list that the assistant announced', () => {
  const tool = surveyHistory(step('c1', 'ExitPlanMode', { plan: '# Plan\n1. a\n\n2. b' }, 'ok'));
  expect(latestPlan(tool)).toEqual(['# Plan', '1. a', '2. b']);
  const said = surveyHistory([user('Go.'), assistant('The next steps:\n- a\n- b\n- c')]);
  expect(latestPlan(said)).toEqual(['The next steps:', '- a', '- b', '- c']);
  expect(latestPlan(surveyHistory([assistant('Hello.')]))).toEqual([]);
});

test('two items that are announced are no plan', () => {
  expect(latestPlan(surveyHistory([assistant('The next steps:\n- a\n- b')]))).toEqual([]);
});

test('a list that explains what is, or follows other words than an announcement, is no plan', () => {
  const explained = [
    'I traced the flow; I will not change it. After `PostCommit`:',
    '1. The count is 0',
    '2. The branch is deleted',
    '3. The state is kept',
    'The next step clears it. Do you have a plan?',
  ].join('\n');
  expect(latestPlan(surveyHistory([assistant(explained)]))).toEqual([]);
  const advice = '## Suggested next steps\n\n1. Split it.\n2. Name it.\n3. Test it.';
  expect(latestPlan(surveyHistory([assistant(advice)]))).toEqual([]);
  const both = `${explained}\n\n## Remaining work\n\n- a\n- b\n  in two lines\n- c\n\nShall I?`;
  expect(latestPlan(surveyHistory([assistant(both)]))).toEqual([
    'Remaining work',
    ...['- a', '- b', 'in two lines', '- c'],
  ]);
});

test.each(['deleted', 'completed', 'Done', 'CANCELLED', ' failed '])('%s is finished', (status) => {
  expect(isFinishedStatus(status)).toBe(true);
});

test('a status that nobody knows is open', () => {
  expect(isFinishedStatus('waiting for review')).toBe(false);
});

test('a list that was announced is no plan any more once the user has gone on to something else', () => {
  const list = assistant("Let's check your settings:\n- a\n- b\n- c");
  const planOf = (...said: string[]): readonly string[] =>
    latestPlan(surveyHistory([user('Go.'), list, ...said.map((text) => user(text))]));
  expect(planOf()).toHaveLength(4);
  expect(planOf('yes')).toHaveLength(4);
  expect(planOf('ok, the block should stay as it is')).toHaveLength(4);
  expect(planOf('the block should stay as it is', 'make the text brighter than the rest')).toEqual(
    [],
  );
});
