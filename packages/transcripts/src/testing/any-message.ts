import type { ContentBlock, Message } from '@ctx/core';
import fc from 'fast-check';

const anyText = fc.string({ unit: 'binary', maxLength: 8 });
const anyId = fc.constantFrom('a', 'b', '__proto__', '');

const anyTextBlock: fc.Arbitrary<ContentBlock> = anyText.map((text) => ({ type: 'text', text }));

const anyBlock: fc.Arbitrary<ContentBlock> = fc.oneof(
  anyTextBlock,
  fc
    .tuple(anyId, anyText, fc.dictionary(anyText, fc.jsonValue({ maxDepth: 1 })))
    .map(
      ([id, name, input]): ContentBlock => ({ type: 'tool_use', id, name, input: plain(input) }),
    ),
  fc
    .tuple(anyId, fc.array(anyText, { maxLength: 2 }), fc.option(fc.boolean()))
    .map(([toolUseId, texts, isError]): ContentBlock => {
      const content = texts.map((text) => ({ type: 'text' as const, text }));
      return { type: 'tool_result', toolUseId, content, ...(isError === null ? {} : { isError }) };
    }),
  anyText.map((signature): ContentBlock => {
    const data = { type: 'thinking', thinking: 'hm', signature };
    return { type: 'opaque', format: 'anthropic:thinking', data };
  }),
);

/** A value as JSON would give it: no `undefined`, no negative zero, plain prototypes. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** Any canonical message that the Anthropic format can hold. */
export const anyMessage: fc.Arbitrary<Message> = fc.record({
  role: fc.constantFrom('user', 'assistant', 'system'),
  content: fc.array(anyBlock, { maxLength: 4 }),
});

const anyJson = fc.jsonValue({ maxDepth: 2 }).map(plain);
const anyJsonBlock = fc.oneof(
  anyJson,
  fc
    .record(
      {
        type: fc.constantFrom('text', 'tool_use', 'tool_result', 'image', 'thinking', 7),
        text: fc.oneof(anyText, anyJson),
        id: anyId,
        name: anyText,
        input: anyJson,
        tool_use_id: anyId,
        is_error: fc.oneof(fc.boolean(), fc.constant(null)),
        content: fc.oneof(anyText, fc.array(anyJson, { maxLength: 2 }), anyJson),
        cache_control: anyJson,
      },
      { requiredKeys: ['type'] },
    )
    .map(plain),
);

/** Anything that looks like an Anthropic message. */
export const anyJsonMessage: fc.Arbitrary<unknown> = fc
  .record(
    {
      role: fc.constantFrom('user', 'assistant', 'system'),
      content: fc.oneof(anyText, fc.array(anyJsonBlock, { maxLength: 4 }), anyJson),
      id: anyText,
    },
    { requiredKeys: ['role'] },
  )
  .map(plain);

const anyOpenAiCall = fc.oneof(
  anyJson,
  fc
    .record(
      {
        id: anyId,
        type: fc.constantFrom('function', 'custom'),
        function: fc.oneof(
          anyJson,
          fc.record(
            {
              name: anyText,
              arguments: fc.oneof(
                anyText,
                anyJson.map((value) => JSON.stringify(value)),
              ),
              strict: anyJson,
            },
            { requiredKeys: ['name', 'arguments'] },
          ),
        ),
        custom: fc.record({ name: anyText, input: anyText }),
      },
      { requiredKeys: [] },
    )
    .map(plain),
);

/** Anything that looks like an OpenAI chat message. */
export const anyOpenAiMessage: fc.Arbitrary<unknown> = fc
  .record(
    {
      role: fc.constantFrom('user', 'assistant', 'system', 'developer', 'tool', 'function'),
      content: fc.oneof(
        anyText,
        fc.constant(null),
        fc.array(anyJsonBlock, { maxLength: 3 }),
        anyJson,
      ),
      tool_calls: fc.oneof(fc.array(anyOpenAiCall, { maxLength: 3 }), anyJson),
      function_call: fc.oneof(fc.record({ name: anyText, arguments: anyText }), anyJson),
      tool_call_id: anyId,
      name: anyText,
      refusal: anyJson,
      reasoning_content: anyText,
    },
    { requiredKeys: ['role'] },
  )
  .map(plain);
