import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openAiResponses } from '../dialects/openai-responses/openai-responses.ts';
import { createBeginningReader } from './beginning.ts';

const item = fc.oneof(
  fc.record({
    type: fc.constant('message'),
    role: fc.constantFrom('user', 'assistant', 'developer'),
    content: fc.constantFrom('a', 'b'),
  }),
  fc.record({
    type: fc.constant('function_call'),
    call_id: fc.constantFrom('1', '2'),
    name: fc.constant('x'),
    arguments: fc.constant('{}'),
  }),
);

it('reads how a conversation begins as if it were the first, whatever was read before', () => {
  fc.assert(
    fc.property(fc.array(fc.array(item, { maxLength: 6 }), { maxLength: 12 }), (requests) => {
      const read = createBeginningReader();
      for (const request of requests) {
        const elements = request.map((one) => JSON.stringify(one));
        const alone = createBeginningReader()(openAiResponses, elements);
        const found = read(openAiResponses, elements);
        expect(found).toEqual(alone && { ...alone, start: found?.start });
      }
    }),
    { numRuns: 1000 },
  );
});
