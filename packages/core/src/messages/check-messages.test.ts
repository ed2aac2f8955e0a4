import { expect, test } from 'vitest';
import type { Message } from '../records/message.ts';
import { checkMessages } from './check-messages.ts';

const check = (given: unknown) => () => {
  checkMessages(given as readonly Message[]); // As from a program without types.
};

test.each<[string, unknown, string]>([
  ['a text', 'hi', 'messages is a value of type string'],
  ['texts', ['hi'], 'messages[0] is a value of type string'],
  ['null', [null], 'messages[0] is null'],
  [
    'OpenAI',
    [{ role: 'user', content: 'secret' }],
    'messages[0].content is a value of type string',
  ],
  ['a result of OpenAI', [{ role: 'tool', content: [] }], 'messages[0].role is none of user'],
  [
    'a result of Anthropic',
    [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'secret' }] }],
    'messages[0].content[0] is no block',
  ],
  [
    'an image of Anthropic',
    [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'image', source: {} },
        ],
      },
    ],
    'messages[0].content[1] is no block',
  ],
  ['Gemini', [{ role: 'user', parts: [{ text: 'secret' }] }], 'messages[0].content is a value'],
])(
  'messages that are %s are refused with what to do, and none of what they say',
  (_name, given, said) => {
    expect(check(given)).toThrow(said);
    expect(check(given)).toThrow(expect.objectContaining({ code: 'CTX_INVALID_INPUT' }));
    expect(check(given)).not.toThrow(/secret/);
  },
);

test('messages of ctx are taken, and each is looked at once however often it comes', () => {
  let looks = 0;
  const message: Message = {
    role: 'assistant',
    get content() {
      looks += 1;
      return [
        { type: 'text' as const, text: '' },
        { type: 'tool_use' as const, id: 'a', name: 'b', input: undefined },
        { type: 'opaque' as const, format: 'anthropic:image', data: {} },
      ];
    },
  };
  const result = { type: 'tool_result' as const, toolUseId: 'a', content: [] };
  for (let turn = 0; turn < 5; turn += 1) {
    checkMessages([message, { role: 'user', content: [result] }]);
  }
  expect(looks).toBe(1);
});

test('messages that were checked before are not looked at, but for the last one', () => {
  const wrong = [null, null, { role: 'user', content: [] }] as unknown as Message[];
  expect(() => {
    checkMessages(wrong, 2);
    checkMessages(wrong, 3);
  }).not.toThrow();
  expect(() => {
    checkMessages(wrong.slice(0, 2), 2);
  }).toThrow('messages[1] is null');
});
