import fc from 'fast-check';
import { expect, test } from 'vitest';
import { imageSize } from './image-size.ts';

const ascii = (text: string): number[] => Array.from(text, (sign) => sign.charCodeAt(0));
const big16 = (value: number): number[] => [value >> 8, value & 0xff];
const little16 = (value: number): number[] => [value & 0xff, value >> 8];
const little24 = (value: number): number[] => [value & 0xff, (value >> 8) & 0xff, value >> 16];

const png = (width: number, height: number): number[] => [
  0x89,
  ...ascii('PNG\r\n'),
  0x1a,
  0x0a,
  0,
  0,
  0,
  13,
  ...ascii('IHDR'),
  0,
  0,
  ...big16(width),
  0,
  0,
  ...big16(height),
  8,
  6,
  0,
  0,
  0,
];
const gif = (width: number, height: number): number[] => [
  ...ascii('GIF89a'),
  ...little16(width),
  ...little16(height),
  0,
  0,
  0,
];
const webp = (chunk: string, rest: number[]): number[] => [
  ...ascii('RIFF'),
  0,
  0,
  0,
  0,
  ...ascii(`WEBP${chunk}`),
  0,
  0,
  0,
  0,
  ...rest,
  0,
  0,
  0,
  0,
];
const jpeg = (width: number, height: number, metadata = 0): number[] => [
  0xff,
  0xd8,
  0xff,
  0xe1,
  ...big16(metadata + 2),
  ...Array.from({ length: metadata }, () => 0xff),
  0xff,
  0xff,
  0xc2,
  ...big16(17),
  8,
  ...big16(height),
  ...big16(width),
  3,
  0,
  0,
  0,
];
const lossless = (width: number, height: number): number[] => {
  const bits = (width - 1) | ((height - 1) << 14);
  return [
    0x2f,
    bits & 0xff,
    (bits >> 8) & 0xff,
    (bits >> 16) & 0xff,
    (bits >>> 24) & 0xff,
    0,
    0,
    0,
    0,
  ];
};

const made: Record<string, number[]> = {
  PNG: png(1234, 567),
  GIF: gif(1234, 567),
  'WebP, extended': webp('VP8X', [0, 0, 0, 0, ...little24(1233), ...little24(566)]),
  'WebP, lossy': webp('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a, ...little16(1234), ...little16(567)]),
  'WebP, lossless': webp('VP8L', lossless(1234, 567)),
  JPEG: jpeg(1234, 567),
  'JPEG after 60,000 bytes of metadata': jpeg(1234, 567, 60_000),
};

test.each(Object.keys(made))(
  'the size of a %s is read from bytes, base64 and data URLs',
  (name) => {
    const bytes = Uint8Array.from(made[name] ?? []);
    const base64 = Buffer.from(bytes).toString('base64');
    const size = { width: 1234, height: 567 };
    expect(imageSize(bytes)).toEqual(size);
    expect(imageSize(base64)).toEqual(size);
    expect(imageSize(`data:image/any;base64,${base64}`)).toEqual(size);
  },
);

test('a view into a larger buffer is read from its own start', () => {
  const whole = Uint8Array.from([1, 2, 3, ...png(10, 20)]);
  expect(imageSize(whole.subarray(3))).toEqual({ width: 10, height: 20 });
});

test('damaged, cut and foreign files have no size', () => {
  expect(imageSize('')).toBeUndefined();
  expect(imageSize(Uint8Array.from(png(0, 5)))).toBeUndefined();
  expect(imageSize(Uint8Array.from(png(5, 5).slice(0, 20)))).toBeUndefined();
  expect(
    imageSize(Uint8Array.from([0xff, 0xd8, ...Array.from({ length: 5000 }, () => 0xff)])),
  ).toBeUndefined();
  expect(imageSize('https://example.com/picture.png')).toBeUndefined();
});

test('no bytes make it throw', () => {
  const starts = fc.constantFrom(
    ...Object.values(made).map((bytes) => bytes.slice(0, 40)),
    [0xff, 0xd8],
  );
  fc.assert(
    fc.property(starts, fc.nat(40), fc.uint8Array({ maxLength: 60 }), (start, kept, rest) => {
      const size = imageSize(Uint8Array.from([...start.slice(0, kept), ...rest]));
      if (size !== undefined) expect(Math.min(size.width, size.height)).toBeGreaterThan(0);
    }),
  );
});
