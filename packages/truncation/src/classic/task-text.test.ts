import { describe, expect, it } from 'vitest';
import { assistant, frozen, image, system, text, user } from '../test-support/messages.ts';
import { applyTaskOffload, offloadTask, planTaskOffload } from './task-text.ts';

const perCharacter = (value: string): number => value.length;
const options = { capTokens: 1000, previewCharacters: 300, countTokens: perCharacter };
const long = `begin ${'x'.repeat(5000)} end`;

describe('the task', () => {
  it('stays verbatim up to its cap', () => {
    const messages = [user('x'.repeat(1000)), assistant('yes'), user(long)];
    expect(planTaskOffload(messages, options)).toEqual([]);
    expect(applyTaskOffload(messages, [], () => '')).toBe(messages);
  });

  it('is offloaded with a preview and a pointer when it alone exceeds its cap', () => {
    const messages = frozen([system('be brief'), user('note', long, image()), assistant('yes')]);
    const offloads = planTaskOffload(messages, options);
    expect(offloads).toMatchObject([{ messageIndex: 1, blockIndex: 1, text: long }]);
    const view = applyTaskOffload(messages, offloads, () => 'whole at X');
    const shown = view[1]?.content[1];
    expect(shown).toEqual(text(`${offloads[0]?.preview ?? ''}\nwhole at X`));
    expect(offloads[0]?.preview.length).toBeLessThanOrEqual(300);
    expect(offloads[0]?.preview.startsWith('begin')).toBe(true);
    expect(offloads[0]?.preview.endsWith('end')).toBe(true);
    expect([view[0], view[1]?.content[0], view[1]?.content[2], view[2]]).toEqual([
      messages[0],
      text('note'),
      image(),
      messages[2],
    ]);
  });

  it('loses its longest texts first, and only as many as it must', () => {
    const messages = [user('a'.repeat(600), 'b'.repeat(900), 'c'.repeat(200))];
    const offloads = planTaskOffload(messages, options);
    expect(offloads.map(({ blockIndex }) => blockIndex)).toEqual([0, 1]);
    const enough = planTaskOffload(messages, { ...options, capTokens: 1200 });
    expect(enough.map(({ blockIndex }) => blockIndex)).toEqual([1]);
  });

  it('is left alone by a plan that was made for another text', () => {
    const offloads = planTaskOffload([user(long)], options);
    const messages = [user('short')];
    expect(applyTaskOffload(messages, offloads, () => '')).toBe(messages);
  });

  it('is kept by the caller before a preview takes its place', async () => {
    const kept: string[] = [];
    const keep = async (whole: string): Promise<string> => `whole at ${String(kept.push(whole))}`;
    const view = await offloadTask(frozen([user(long), assistant('yes')]), keep, options);
    expect(kept).toEqual([long]);
    const [shown] = view[0]?.content ?? [];
    expect(shown?.type === 'text' && shown.text.endsWith('\nwhole at 1')).toBe(true);
    const short = [user('short')];
    expect(await offloadTask(short, keep, options)).toBe(short);
  });
});
