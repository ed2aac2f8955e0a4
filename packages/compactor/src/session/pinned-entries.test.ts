import { expect, test } from 'vitest';
import { userPlaces } from './pinned-entries.ts';

const user = (content: string) => ({ timestamp: 1, role: 'user', content });

test('what a host wrote is neither the first nor the last message of the user', () => {
  const history = [
    user('<command-name>/clear</command-name>'),
    user('Port it.'),
    user('And test it.'),
    user('This session is being continued from a previous conversation. It went well.'),
    user('<local-command-stdout>ok</local-command-stdout>'),
  ];
  expect(userPlaces(history)).toEqual({ first: 1, last: 2 });
  expect(userPlaces(history.slice(3))).toEqual({ first: -1, last: -1 });
});
