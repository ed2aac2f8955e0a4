import { describe, expect, it } from 'vitest';
import { sentMessage } from './sent-message.ts';

const mastra = { createdAt: 1 };
const anthropic = { cacheControl: { type: 'ephemeral' } };

describe('the messages that a provider is sent', () => {
  it('have no notes of Mastra, and all that is for the provider', () => {
    const said = { type: 'text', text: 'Look.' };
    const noted = [
      { role: 'system', content: 'be brief', providerOptions: { mastra } },
      {
        role: 'user',
        content: [
          { ...said, providerOptions: { mastra } },
          { ...said, providerOptions: { mastra, anthropic } },
        ],
        providerOptions: { anthropic, mastra },
      },
    ];
    expect(noted.map((each) => sentMessage(each))).toEqual([
      { role: 'system', content: 'be brief' },
      {
        role: 'user',
        content: [said, { ...said, providerOptions: { anthropic } }],
        providerOptions: { anthropic },
      },
    ]);
  });

  it('are the given ones if they hold no notes', () => {
    const plain = { role: 'user', content: [{ type: 'text', text: 'Look.' }] };
    expect(sentMessage(plain)).toBe(plain);
  });
});
