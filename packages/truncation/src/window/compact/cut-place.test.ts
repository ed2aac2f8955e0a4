import { expect, test } from 'vitest';
import { namedPlaces } from '../test-support/named-places.ts';
import { assistant, call, result, testWindow, textOf, user } from '../test-support/test-window.ts';
import type { Window } from '../window.ts';

const day = 86_400_000;

/** A window in which one line at the result of the first call tells three calls, above that call's own long text. */
function withJoinedLine(): Window {
  const { window } = testWindow({
    windowTokens: 3000,
    namesMessages: true,
    changes: {
      ...{ tailTokens: 0, otherTailTokens: 0, editTailTokens: 0, coldTailTokens: 0 },
      ...{ partTailTokens: 0, freeFloorTokens: 1, holdTokens: 0, reserveTokens: 200 },
    },
  });
  window.insert(user('task'));
  for (const id of ['ls', 'pwd', 'who']) {
    const { content } = call(id, 'Bash', { command: id });
    const said = id === 'ls' ? assistant(textOf(900, 'plan')).content : [];
    window.insert({ role: 'assistant', content: [...said, ...content] });
    window.insert(result(id, textOf(200, id)), { [id]: `ctx://outputs/${id}` });
  }
  window.insert(user('go on'));
  window.request(0);
  window.request(day);
  expect(JSON.stringify(window.view())).toContain('[Bash ls; pwd; who → ctx://messages/2,4,6]');
  return window;
}

function expectNamed(window: Window): void {
  const named = namedPlaces(JSON.stringify(window.view()));
  for (const place of [2, 4, 6]) expect(named).toContain(place);
}

const sizes = Array.from({ length: 60 }, (_, at) => 1000 + at * 40);

test('a cut that takes a line which tells several calls names the messages of them all', () => {
  const cuts = sizes.map((tokens) => {
    const window = withJoinedLine();
    window.insert(assistant('Done.'));
    window.insert(user(textOf(tokens, 'more')));
    window.request(2 * day);
    expectNamed(window);
    return window.explain().filter(({ form }) => form === 'cut').length;
  });
  expect(new Set(cuts).size).toBeGreaterThan(1);
});

test('a compaction does the same, wherever its tail begins', () => {
  const ends = sizes.slice(0, 24).map((_, at) => {
    const window = withJoinedLine();
    window.insert(assistant(textOf(300, 'more')));
    window.insert(user('and on'));
    window.request(2 * day);
    const { to } = window.compact({ summary: 'Short.', tailTokens: at * 20, ledgerTokens: 0 });
    expectNamed(window);
    return to;
  });
  expect(new Set(ends).size).toBeGreaterThan(1);
});
