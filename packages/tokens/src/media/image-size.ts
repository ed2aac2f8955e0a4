/** Pixels of an image, as its header says. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** How much of a file is looked at: JPEG may carry long metadata before its size. */
const headBytes = 1024 * 1024;

/**
 * Reads the size of a PNG, JPEG, GIF or WebP image from its header.
 * Never throws; `undefined` for any other or damaged file and for a size of 0. Nothing is decoded, no URL
 * is fetched.
 * Reads at most the first 1 MiB; most headers end within 30 bytes.
 */
export function imageSize(image: Uint8Array | string): ImageSize | undefined {
  const head = headOf(image);
  const size = pngSize(head) ?? gifSize(head) ?? webpSize(head) ?? jpegSize(head);
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
}

/** A view of the first bytes; a string is base64, with or without `data:…;base64,` before it. */
function headOf(image: Uint8Array | string): DataView {
  const bytes =
    typeof image === 'string' ? bytesOfBase64(image, headBytes) : image.subarray(0, headBytes);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The first `limitBytes` bytes of base64 text; what is not base64 is passed over. */
export function bytesOfBase64(text: string, limitBytes: number): Uint8Array {
  const start = text.startsWith('data:') ? text.indexOf(',', 0) + 1 : 0;
  return Buffer.from(text.slice(start, start + Math.ceil(limitBytes / 3) * 4), 'base64');
}

function hasAscii(view: DataView, at: number, ascii: string): boolean {
  if (view.byteLength < at + ascii.length) return false;
  for (let index = 0; index < ascii.length; index += 1) {
    if (view.getUint8(at + index) !== ascii.charCodeAt(index)) return false;
  }
  return true;
}

function pngSize(view: DataView): ImageSize | undefined {
  if (
    view.byteLength < 24 ||
    !hasAscii(view, 0, '\x89PNG\r\n\x1a\n') ||
    !hasAscii(view, 12, 'IHDR')
  )
    return undefined;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

function gifSize(view: DataView): ImageSize | undefined {
  if (view.byteLength < 10 || !(hasAscii(view, 0, 'GIF87a') || hasAscii(view, 0, 'GIF89a')))
    return undefined;
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function webpSize(view: DataView): ImageSize | undefined {
  if (view.byteLength < 30 || !hasAscii(view, 0, 'RIFF') || !hasAscii(view, 8, 'WEBP'))
    return undefined;
  if (hasAscii(view, 12, 'VP8X'))
    return { width: 1 + uint24(view, 24), height: 1 + uint24(view, 27) };
  if (hasAscii(view, 12, 'VP8 ')) {
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  }
  if (!hasAscii(view, 12, 'VP8L') || view.getUint8(20) !== 0x2f) return undefined;
  const bits = view.getUint32(21, true);
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
}

const uint24 = (view: DataView, at: number): number =>
  view.getUint16(at, true) | (view.getUint8(at + 2) << 16);

/** Steps from marker to marker until the frame header, which holds the size. */
function jpegSize(view: DataView): ImageSize | undefined {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return undefined;
  let at = 2;
  while (at + 9 <= view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    if (isFrameHeader(marker))
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += isBareMarker(marker) ? nextMarkerStep(marker) : 2 + Math.max(2, view.getUint16(at + 2));
  }
  return undefined;
}

/** SOF0 to SOF15 without DHT (C4), JPG (C8) and DAC (CC). */
const isFrameHeader = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
/** Fill bytes, TEM and restart markers have no length after them. */
const isBareMarker = (marker: number): boolean =>
  marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
const nextMarkerStep = (marker: number): number => (marker === 0xff ? 1 : 2);
