import type { ContentBlock, Message } from '@ctx/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CountOptions, countRequest, messageCounter } from './count-messages.ts';
import { countToolSchema } from './count-tool-schema.ts';

const user = (...content: ContentBlock[]): Message => ({ role: 'user', content });
const opaque = (data: unknown): ContentBlock => ({ type: 'opaque', format: 'test', data });
const call = (name: string, input: unknown): ContentBlock => ({
  type: 'tool_use',
  id: 'c',
  name,
  input,
});
const resultOf = (text: string): ContentBlock => ({
  type: 'tool_result',
  toolUseId: 'c',
  content: [{ type: 'text', text }],
});
const length = (text: string): number => text.length;
const counted = (message: Message, options?: CountOptions): number =>
  messageCounter(options)(message);
const gif = Buffer.from('GIF89a\x00\x02\x00\x02\x00\x00\x00', 'latin1').toString('base64'); // 512 × 512 px

test('OpenAI chat adds 4 per message and 3 per request', () => {
  const messages = [user({ type: 'text', text: 'hello world' })];
  expect(countRequest({ system: 'be brief', messages }, { model: 'gpt-4o' })).toEqual({
    systemTokens: 6,
    toolTokens: 0,
    messageTokens: 6,
    framingTokens: 3,
    totalTokens: 15,
  });
});

test("Anthropic's documented example of 14 tokens is met", () => {
  const messages = [user({ type: 'text', text: 'Hello, Claude' })];
  const { totalTokens } = countRequest(
    { system: 'You are a scientist', messages },
    { model: 'claude-opus-4-1' },
  );
  expect(totalTokens).toBe(14);
});

test("Anthropic's documented example of 403 tokens with a tool is met within 5 %", () => {
  const location = { type: 'string', description: 'The city and state, e.g. San Francisco, CA' };
  const tools = [
    {
      name: 'get_weather',
      description: 'Get the current weather in a given location',
      inputSchema: { type: 'object', properties: { location }, required: ['location'] },
    },
  ];
  const messages = [user({ type: 'text', text: "What's the weather like in San Francisco?" })];
  const { totalTokens } = countRequest({ tools, messages }, { model: 'claude-opus-4-1' });
  expect(Math.abs(totalTokens - 403)).toBeLessThanOrEqual(20);
});

test('the sum over messages is the count of the list, so it can be carried along', () => {
  const block = fc.oneof(
    fc.string().map((text): ContentBlock => ({ type: 'text', text })),
    fc.jsonValue().map((input) => call('read', input)),
    fc.anything().map(opaque),
    fc.string().map(resultOf),
  );
  const message = fc.array(block, { maxLength: 4 }).map((content) => user(...content));
  fc.assert(
    fc.property(fc.array(message, { maxLength: 5 }), (messages) => {
      const options = { model: 'claude-sonnet-4-5', counter: length };
      const sum = messages.reduce((total, each) => total + counted(each, options), 0);
      expect(countRequest({ messages }, options).messageTokens).toBe(sum);
      expect(Number.isInteger(sum) && sum >= 4 * messages.length).toBe(true);
    }),
  );
});

test('a call counts its name and its arguments as compact JSON, a result its content', () => {
  expect(counted(user(call('read', { path: 'a' })), { provider: 'openai', counter: length })).toBe(
    4 + 8 + 'read {"path":"a"}'.length,
  );
  const raw = user(call('read', 'not json'));
  expect(counted(raw, { provider: 'openai', counter: length })).toBe(
    4 + 8 + 'read not json'.length,
  );
  const result = user(resultOf('12345'));
  expect(counted(result, { provider: 'openai', counter: length })).toBe(4 + 7 + 5);
});

test.each([
  ['Anthropic', { type: 'image', source: { type: 'base64', media_type: 'image/gif', data: gif } }],
  ['OpenAI chat', { type: 'image_url', image_url: { url: `data:image/gif;base64,${gif}` } }],
  ['OpenAI responses', { type: 'input_image', image_url: `data:image/gif;base64,${gif}` }],
  ['Gemini', { inlineData: { mimeType: 'image/gif', data: gif } }],
  ['MCP', { type: 'image', mimeType: 'image/gif', data: gif }],
  ['AI SDK', { type: 'file', mediaType: 'image/gif', data: gif }],
])('an image in the shape of %s counts by its dimensions, not by its base64', (_, data) => {
  expect(counted(user(opaque(data)), { model: 'gpt-4o' })).toBe(4 + 255);
});

test('an image behind a URL is not fetched and counts as 1,024 × 1,024 px', () => {
  const url = 'http://127.0.0.1:9/picture.png';
  const shapes = [
    { type: 'image', source: { type: 'url', url } },
    { type: 'image_url', image_url: { url } },
    { type: 'image', image: url },
  ];
  for (const shape of shapes)
    expect(counted(user(opaque(shape)), { model: 'gpt-4o' })).toBe(4 + 765);
  const low = { type: 'image_url', image_url: { url, detail: 'low' } };
  expect(counted(user(opaque(low)), { model: 'gpt-4o' })).toBe(4 + 85);
});

test('a PDF counts by its pages', () => {
  const data = Buffer.from('%PDF-1.4 << /Type /Page >> << /Type /Page >>').toString('base64');
  const block = {
    type: 'document',
    source: { type: 'base64', media_type: 'application/pdf', data },
  };
  expect(counted(user(opaque(block)), { model: 'gemini-2.5-pro' })).toBe(1 + 516);
  const file = { type: 'file', file: { file_data: `data:application/pdf;base64,${data}` } };
  expect(counted(user(opaque(file)), { model: 'gemini-2.5-pro' })).toBe(1 + 516);
});

test('of thinking the text counts, its signature does not', () => {
  const thinking = { type: 'thinking', thinking: 'hmm', signature: 'x'.repeat(5000) };
  expect(counted(user(opaque(thinking)), { provider: 'openai', counter: length })).toBe(4 + 3);
});

test('proofs count nothing wherever they stand, and the rest of the value as it would without them', () => {
  const count = (input: unknown): number =>
    counted({ role: 'assistant', content: [call('call', input)] }, { counter: length });
  const proof = fc.constantFrom('signature', 'thoughtSignature', 'thought_signature');
  fc.assert(
    fc.property(fc.jsonValue(), proof, fc.string(), (inner, name, value) => {
      const plain = { inner, said: 'the "signature" of it' };
      expect(count({ deep: [{ [name]: value, ...plain }] })).toBe(count({ deep: [plain] }));
      expect(count({ inner })).toBe(count(JSON.parse(JSON.stringify({ inner }))));
    }),
  );
});

test('cycles, depth and values that JSON cannot hold do not throw', () => {
  const cycle: { self?: unknown; text: string } = { text: 'found' };
  cycle.self = cycle;
  let deep: unknown = 'bottom';
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
  let nested: unknown = { type: 'text', text: 'inner' };
  for (let depth = 0; depth < 100_000; depth += 1)
    nested = { type: 'tool_result', toolUseId: 'c', content: [nested] };
  for (const data of [cycle, deep, 10n, undefined, Symbol('x'), () => 1]) {
    expect(counted(user(opaque(data)), { counter: length })).toBeGreaterThanOrEqual(4);
  }
  expect(counted(user(opaque(cycle)), { counter: length })).toBeGreaterThan(4 + 'found'.length);
  expect(counted(user(opaque(deep)), { counter: length })).toBe(4 + 'bottom'.length);
  expect(counted(user(nested as ContentBlock), { counter: length })).toBe(4 + 100_000 * 12 + 5);
});

test("OpenAI's tools count by the published rule", () => {
  const unit = { type: 'string', description: 'The unit.', enum: ['C', 'F'] };
  const tool = { name: 'weather', description: 'Says it.', inputSchema: { properties: { unit } } };
  const line = 'weather:Says it'.length + 'unit:string:The unit'.length;
  expect(countToolSchema(tool, { provider: 'openai', counter: length })).toBe(
    7 + 3 + 3 - 3 + 2 * (3 + 1) + line,
  );
});

test('nested and endless schemas are counted without end', () => {
  const schema: { properties: { child: unknown; name: unknown } } = {
    properties: { child: {}, name: { type: 'string' } },
  };
  schema.properties.child = schema;
  expect(
    countToolSchema({ name: 'tree', inputSchema: schema }, { counter: length }),
  ).toBeGreaterThan(32);
});
