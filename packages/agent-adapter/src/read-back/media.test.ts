import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { pointerUri } from '@ctx/truncation';
import { expect, it, test } from 'vitest';
import { mediaOf } from './media.ts';
import { readBackTools } from './read-back-tools.ts';
import { toolParts } from './tool-parts.ts';

const png = 'iVBORw0KGgoAAAANSUhEUg==';
const pdf = 'JVBERi0xLjQ=';
const held = { mediaType: 'image/png', data: png };
const paper = { mediaType: 'application/pdf', data: pdf };
const url = 'https://example.org/a.png';

test.each([
  [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }, held],
  [
    { type: 'image', source: { type: 'url', url } },
    { mediaType: 'image', url },
  ],
  [
    { type: 'document', source: { type: 'file', file_id: 'f1' } },
    { mediaType: 'application/pdf', fileId: 'f1' },
  ],
  [{ type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }, held],
  [{ type: 'input_image', image_url: `data:image/png;base64,${png}` }, held],
  [
    { type: 'input_image', file_id: 'f1' },
    { mediaType: 'image', fileId: 'f1' },
  ],
  [{ type: 'input_file', file_data: `data:application/pdf;base64,${pdf}` }, paper],
  [{ type: 'file', file: { file_data: `data:application/pdf;base64,${pdf}` } }, paper],
  [{ type: 'image', image: { data: png, mediaType: 'image/png' } }, held],
  [{ inlineData: { mimeType: 'image/png', data: png } }, held],
  [{ type: 'image', data: png, mimeType: 'image/png' }, held],
  [{ type: 'resource', resource: { uri: 'x:y', mimeType: 'application/pdf', blob: pdf } }, paper],
  [{ type: 'image', source_type: 'base64', mime_type: 'image/png', data: png }, held],
  [{ type: 'media', data: png, mediaType: 'image/png' }, held],
  [{ type: 'file-data', data: pdf, mediaType: 'application/pdf' }, paper],
  [{ type: 'file', mediaType: 'image/*', data: { type: 'data', data: png } }, held],
  [{ type: 'image', image: new Uint8Array(Buffer.from(png, 'base64')) }, held],
  [
    { type: 'image-url', url },
    { mediaType: 'image', url },
  ],
])('reads %j', (block, media) => {
  expect(mediaOf(block)).toEqual(media);
});

test.each([
  { type: 'text', text: png },
  { type: 'image', name: 'a row of a table' },
  { type: 'image', data: 'not base64!', mimeType: 'image/png' },
  { type: 'file', url: 'src/a.ts' },
  { type: 'image', source: { type: 'text', data: 'x' } },
  { source: { type: 'base64', data: png } },
  png,
  null,
])('does not take %j for a picture', (value) => {
  expect(mediaOf(value)).toBeUndefined();
});

async function readTool(result: unknown) {
  const store = await openStore(memoryBackend());
  const saved = await store.outputs.save({ sessionId: 's', toolName: 'Shot', args: {}, result });
  const [tool] = readBackTools(store);
  return { tool, pointer: pointerUri(saved.pointer.id) };
}

const image = { type: 'image', data: png, mimeType: 'image/png' };

it('names pictures in words where nothing but text can be answered', async () => {
  const { tool, pointer } = await readTool([{ type: 'text', text: 'before' }, image]);
  const answer = await tool.execute({ pointer });
  expect(answer).toContain('before\n[image 1: image/png, 18 bytes]');
  expect(answer).toMatch(/\[not shown, .*: \[image 1: image\/png, 18 bytes\]\]$/);
  expect(answer).not.toContain(png);
});

it('brings only the pictures of the part that is read', async () => {
  const blocks = [image, ...Array.from({ length: 50 }, () => ({ type: 'text', text: 'x' })), image];
  const { tool, pointer } = await readTool({ content: blocks });
  const numbers = async (args: object) =>
    (await tool.answer?.({ pointer, ...args }))?.media.map(({ mark }) => mark.slice(0, 8));
  expect(await numbers({})).toEqual(['[image 1', '[image 2']);
  expect(await numbers({ pattern: 'image 2' })).toEqual(['[image 2']);
  expect(await numbers({ jsonPath: '$.content[0]' })).toEqual(['[image 1']);
  expect(await numbers({ jsonPath: '$.content[1]' })).toEqual([]);
});

it('says in words which file a host cannot take, and shows the others', async () => {
  const { tool, pointer } = await readTool([image, { ...image, mimeType: 'image/tiff' }]);
  const parts = await toolParts<unknown>(
    tool,
    { pointer },
    {
      text: (text) => text,
      media: ({ mediaType }) => (mediaType === 'image/png' ? { mediaType } : undefined),
    },
  );
  expect(parts[0]).toMatch(/\[not shown, [^\n]*: \[image 2: image\/tiff, 18 bytes\]\]$/);
  expect(parts.slice(1)).toEqual([{ mediaType: 'image/png' }]);
});
