import { defined, parseJson } from '../values.ts';
import type { ByteCollector } from './collect-bytes.ts';
import type { JsonPiece } from './json-piece.ts';

/** Which containers are opened instead of being taken whole. */
export interface CutterSettings {
  /** `path` leads to the container, `/messages` for a field of the root. */
  readonly shouldEnter: (path: string, container: 'object' | 'array') => boolean;
}

/** Cuts chunk after chunk. */
export interface JsonCutter {
  readonly cut: (chunk: Uint8Array, offset: number) => JsonPiece[];
  /** What is left when the input ends. */
  readonly end: () => JsonPiece[];
}

interface Frame {
  readonly container: 'object' | 'array';
  readonly path: string;
  /** The key of the value that comes next, in objects. */
  key: string | undefined;
}

/** What is being collected: a key, a value of its own, or a container taken whole (`nested`). */
type Mode = 'between' | 'key' | 'string' | 'scalar' | 'nested';

/** All that is known between two bytes. */
interface State {
  readonly settings: CutterSettings;
  readonly collector: ByteCollector;
  readonly frames: Frame[];
  mode: Mode;
  depth: number;
  isInString: boolean;
  isEscaped: boolean;
  /** Where the value being collected begins. */
  start: number;
  isRootDone: boolean;
  pieces: JsonPiece[];
}

interface Stop {
  /** Index after the bytes that belong to the value. */
  readonly index: number;
  readonly isDone: boolean;
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;
const colon = 0x3a;
const byteOrderMark = [0xef, 0xbb, 0xbf];

const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0;
const isSeparator = (byte: number): boolean => isSpace(byte) || byte === comma || byte === colon;
const isCloser = (byte: number): boolean => byte === closeBrace || byte === closeBracket;
const isOpener = (byte: number): boolean => byte === openBrace || byte === openBracket;

/** Starts a cutter. */
export function createJsonCutter(settings: CutterSettings, collector: ByteCollector): JsonCutter {
  const state: State = {
    settings,
    collector,
    frames: [],
    mode: 'between',
    depth: 0,
    isInString: false,
    isEscaped: false,
    start: 0,
    isRootDone: false,
    pieces: [],
  };
  return {
    cut: (chunk, offset) => cutChunk(state, chunk, offset),
    end: () => {
      state.pieces = [];
      // A scalar at the root needs nothing after it to be whole.
      const isTorn = state.mode !== 'scalar' || state.frames.length > 0;
      if (state.mode !== 'between') finish(state, isTorn);
      return state.pieces;
    },
  };
}

function cutChunk(state: State, chunk: Uint8Array, offset: number): JsonPiece[] {
  state.pieces = [];
  let index = 0;
  while (index < chunk.length) {
    if (state.mode === 'between' && stepBetween(state, chunk[index] ?? 0, offset + index)) {
      index += 1;
      continue;
    }
    const stop =
      state.mode === 'scalar' ? endOfScalar(state, chunk, index) : endOfValue(state, chunk, index);
    state.collector.add(chunk.subarray(index, stop.index));
    index = stop.index;
    if (stop.isDone) finish(state, false);
  }
  return state.pieces;
}

/** Handles a byte between values. Gives whether the byte is used up; else it is the first of a value. */
function stepBetween(state: State, byte: number, offset: number): boolean {
  if (isSeparator(byte) || byte === byteOrderMark[offset]) return true;
  if (isCloser(byte) && state.frames.length > 0) {
    leave(state);
    return true;
  }
  if (isOpener(byte)) return enter(state, byte, offset);
  begin(state, byte === quote ? modeOfString(state.frames.at(-1)) : 'scalar', offset);
  return false;
}

function modeOfString(frame: Frame | undefined): Mode {
  return frame?.container === 'object' && frame.key === undefined ? 'key' : 'string';
}

function begin(state: State, mode: Mode, offset: number): void {
  state.mode = mode;
  state.start = offset;
  state.depth = 0;
  state.isEscaped = false;
  state.isInString = false;
}

function enter(state: State, byte: number, offset: number): boolean {
  const container = byte === openBrace ? 'object' : 'array';
  const frame = state.frames.at(-1);
  const path = frame ? `${frame.path}/${frame.key ?? '*'}` : '';
  const isEntered = frame ? state.settings.shouldEnter(path, container) : !state.isRootDone;
  if (!isEntered) {
    begin(state, 'nested', offset);
    return false;
  }
  if (frame) frame.key = undefined;
  state.frames.push({ container, path, key: undefined });
  state.pieces.push({ kind: 'enter', container, path });
  return true;
}

function leave(state: State): void {
  const frame = state.frames.pop();
  if (frame === undefined) return;
  state.pieces.push({ kind: 'leave', container: frame.container, path: frame.path });
  if (state.frames.length === 0) state.isRootDone = true;
}

/** Ends the value that is being collected, and makes a piece of it, or the key of the next one. */
function finish(state: State, isTorn: boolean): void {
  const { collector, mode, frames } = state;
  const frame = frames.at(-1);
  const isOverCap = collector.isOverCap();
  const length = collector.length();
  const bytes = collector.take();
  state.mode = 'between';
  if (mode === 'key' && !isTorn && frame && !isOverCap) {
    frame.key = decodeKey(bytes);
    return;
  }
  const key = frame?.key;
  if (frame) frame.key = undefined;
  const range = { bytes, offset: state.start, length };
  const marks = { isOverCap, isTorn, isTrailing: state.isRootDone };
  const path = frame?.path ?? '';
  state.pieces.push({ kind: 'element', path, ...defined({ key }), ...range, ...marks });
  state.isRootDone ||= frame === undefined;
}

/** Where a string, a key or a container ends, if it ends in this chunk. */
function endOfValue(state: State, chunk: Uint8Array, from: number): Stop {
  for (let index = from; index < chunk.length; index += 1) {
    const byte = chunk[index] ?? 0;
    if (state.isInString) stepInString(state, byte);
    else if (byte === quote) state.isInString = true;
    else if (isOpener(byte)) state.depth += 1;
    else if (isCloser(byte)) state.depth -= 1;
    else continue;
    if (!state.isInString && state.depth === 0) return { index: index + 1, isDone: true };
  }
  return { index: chunk.length, isDone: false };
}

function stepInString(state: State, byte: number): void {
  if (state.isEscaped) state.isEscaped = false;
  else if (byte === backslash) state.isEscaped = true;
  else if (byte === quote) state.isInString = false;
}

function endOfScalar(state: State, chunk: Uint8Array, from: number): Stop {
  for (let index = from; index < chunk.length; index += 1) {
    const byte = chunk[index] ?? 0;
    if (isSpace(byte) || byte === comma || isCloser(byte) || byte === quote) {
      // A closer that nothing opened is a value of its own, so that every byte gets on.
      const isAlone = index === from && state.collector.length() === 0;
      return { index: isAlone ? index + 1 : index, isDone: true };
    }
  }
  return { index: chunk.length, isDone: false };
}

function decodeKey(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  const key = parseJson(text);
  return typeof key === 'string' ? key : text;
}
