import fc from 'fast-check';

const anyText = fc.string({ unit: 'binary', maxLength: 6 });
const anyJson = fc.jsonValue({ maxDepth: 1 });
const anyId = fc.constantFrom('a', 'b', '__proto__', '');
const states = [
  'input-streaming',
  'input-available',
  'approval-requested',
  'approval-responded',
  'output-available',
  'output-error',
  'output-denied',
  'partial-call',
  'call',
  'result',
  'unheard-of',
];

const anyTool = {
  toolCallId: anyId,
  toolName: anyText,
  state: fc.constantFrom(...states),
  approval: fc.record({ id: anyId, approved: fc.boolean(), reason: anyText }),
  input: anyJson,
  rawInput: anyJson,
  output: anyJson,
  errorText: fc.oneof(anyText, anyJson),
  preliminary: fc.boolean(),
  providerExecuted: fc.boolean(),
  args: anyJson,
  result: anyJson,
  step: fc.nat(2),
};

/** Anything that looks like a tool invocation of version 4. */
export const anyInvocation: fc.Arbitrary<unknown> = fc.record(anyTool, { requiredKeys: [] });

/** Anything that looks like a part of a message of a user interface. */
export const anyUiPart: fc.Arbitrary<unknown> = fc.oneof(
  anyJson,
  fc.record(
    {
      ...anyTool,
      type: fc.constantFrom(
        'text',
        'reasoning',
        'step-start',
        'data-progress',
        'source-url',
        'file',
        'tool-get-weather',
        'tool-',
        'dynamic-tool',
        'tool-invocation',
        7,
      ),
      text: fc.oneof(anyText, anyJson),
      toolInvocation: fc.oneof(anyInvocation, anyJson),
    },
    { requiredKeys: ['type'] },
  ),
);
