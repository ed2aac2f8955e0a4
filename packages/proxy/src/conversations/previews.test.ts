import { expect, it } from 'vitest';
import { tokensIn } from '../test-support/anthropic-conversation.ts';
import { fileText } from '../test-support/scripted-agent.ts';
import { previewsOf } from './previews.ts';

const address = 'ctx://outputs/a-1';
const log = fileText('a', 900);

function previewOf(text: string, hasTool: boolean): string {
  const preview = previewsOf(tokensIn, hasTool);
  return preview({ text, pointer: address, tokens: tokensIn(text), previewTokens: 200 });
}

it('the preview of a result says the command with which a shell reads the rest', () => {
  const preview = previewOf(log, false);
  expect(preview).toContain(`with: ctx read ${address} --lines 1-200`);
  expect(preview).not.toContain('ctx_read');
});

it('or the call of the tool, for a model that has it', () => {
  const preview = previewOf(log, true);
  expect(preview).toContain(`ctx_read {"address":"${address}","lines":"1-200"}`);
  expect(preview).not.toContain('ctx read');
});

it('a text of one long line is read by its characters', () => {
  const line = 'word '.repeat(9000);
  expect(previewOf(line, false)).toContain(`ctx read ${address} --characters 1-12000`);
  expect(previewOf(line, true)).toContain(`{"address":"${address}","characters":"1-6000"}`);
});

it.each([
  ['shell', false],
  ['tool', true],
])(
  'a preview has the size that is asked for, for a model that reads with its %s',
  (_way, hasTool) => {
    const size = tokensIn(previewOf(log, hasTool));
    expect(size).toBeGreaterThan(100);
    expect(size).toBeLessThan(300);
  },
);
