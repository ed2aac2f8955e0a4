import { CtxError } from '@ctx/core';
import { completeJson } from './sources/complete-json.ts';
import { endOfObject } from './sources/json-lines.ts';
import { readValue } from './sources/read-value.ts';
import type { DetectionHead, FormatEvidence, TranscriptFormat } from './transcript.ts';
import { isRecord, type JsonRecord, parseJson } from './values.ts';

/** A format that the bytes may be of. */
export interface DetectedFormat extends FormatEvidence {
  readonly format: TranscriptFormat;
}

/** How much of an input is looked at, bytes. */
export const detectionBytes = 65_536;

/**
 * Ranks the formats that the first bytes of an input may be of, best first. Names of files play no part.
 * Pure. Takes time linear in the bytes, of which {@link detectionBytes} are enough.
 */
export function detectFormat(
  bytes: Uint8Array,
  formats: readonly TranscriptFormat[],
): DetectedFormat[] {
  const head = readHead(bytes.subarray(0, detectionBytes), bytes.length < detectionBytes);
  const detected = formats.flatMap((format) => {
    const evidence = format.detect(head);
    return evidence === undefined ? [] : [{ ...evidence, format }];
  });
  return detected.sort((left, right) => right.score - left.score);
}

/**
 * The one format that the bytes are of.
 * @throws CTX_TRANSCRIPT_UNKNOWN_FORMAT where there is none, or where two are equally likely.
 */
export function chooseFormat(
  bytes: Uint8Array,
  formats: readonly TranscriptFormat[],
): DetectedFormat {
  const [best, second] = detectFormat(bytes, formats);
  if (best === undefined) throw unknownFormat(whatItIs(bytes));
  if (second?.score === best.score) {
    throw unknownFormat(
      `It could be ${best.format.name} (${best.reason}) or ${second.format.name} (${second.reason})`,
    );
  }
  return best;
}

function unknownFormat(what: string): CtxError {
  return new CtxError('CTX_TRANSCRIPT_UNKNOWN_FORMAT', `The format cannot be told. ${what}.`);
}

function whatItIs(bytes: Uint8Array): string {
  if (bytes.length === 0) return 'The input is empty';
  if (isUtf16(bytes)) return 'The input is UTF-16; convert it to UTF-8';
  if (isCutOff(bytes)) return `The JSON is cut off at byte ${String(bytes.length)}`;
  return 'The first bytes look like no known transcript';
}

/** Whether the input is a document of JSON that ends before it is closed. Only a short input is looked at as a whole. */
function isCutOff(bytes: Uint8Array): boolean {
  if (bytes.length >= detectionBytes) return false;
  const text = new TextDecoder().decode(bytes).trim();
  return (
    /^[[{]/.test(text) && parseJson(text) === undefined && typeof completeJson(text) === 'object'
  );
}

/** Tells UTF-16 by its byte order mark, or by a zero in every other byte of ASCII text. */
export function isUtf16(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, 4);
  const hex = Array.from(start, (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (hex.startsWith('fffe') || hex.startsWith('feff')) return true;
  const zeros = Array.from(start, (byte) => (byte === 0 ? '0' : 'x')).join('');
  return zeros === 'x0x0' || zeros === '0x0x';
}

function readHead(bytes: Uint8Array, isWhole: boolean): DetectionHead {
  const text = new TextDecoder().decode(bytes);
  const all = text.split('\n');
  const complete = isWhole ? all : all.slice(0, -1);
  const lines = complete.flatMap(firstObject);
  const start = text.trimStart();
  const isDocument = start.startsWith('[') || (start.startsWith('{') && lines.length < 2);
  return {
    bytes,
    isWhole,
    text,
    lines,
    document: isDocument ? completeJson(text.trim()) : undefined,
  };
}

/** The object that a line begins with; another one may be glued to it. */
function firstObject(line: string): JsonRecord[] {
  const text = line.replaceAll('\0', '').trim();
  if (!text.startsWith('{')) return [];
  const whole = parseJson(text);
  if (isRecord(whole)) return [whole];
  const bytes = new TextEncoder().encode(text);
  const end = endOfObject(bytes, 0);
  const first = end === undefined ? undefined : readValue(bytes.subarray(0, end)).value;
  return isRecord(first) ? [first] : [];
}
