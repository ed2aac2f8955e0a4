import { fingerprintText, isRecord } from '@ctx/core/encoding';
import { type CountedPart, countedPart } from './counted-part.ts';
import { canonicalText, exactText } from './part-text.ts';

/** Where in a request a part stands, in the order in which providers cache them. */
export type PartSection = 'tools' | 'system' | 'messages';

/** The smallest piece of a request that is compared: a tool, a block, an item. */
export interface RequestPart {
  readonly section: PartSection;
  /** Such as `messages[4].content[1]`. */
  readonly path: string;
  /** SHA-256 of what the cache compares. */
  readonly id: string;
  /** The same for parts that differ in the order of JSON members only. */
  readonly sameAs: string;
  /** What it says, for people. */
  readonly text: string;
  /** What of it is counted. */
  readonly counted: CountedPart;
  /** Of a tool. */
  readonly name?: string;
}

/** An object of a request. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** What is no list has no members. */
export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as readonly unknown[]) : [];

function textOf(value: unknown): string {
  if (isRecord(value) && typeof value['text'] === 'string') return value['text'];
  return exactText(value);
}

/** Where a part stands. */
export interface PartPlace {
  readonly section: PartSection;
  readonly path: string;
  /** What the part is in, such as its message's role. */
  readonly envelope?: unknown;
}

/** Makes a part of a value that stands at a place. */
export function partOf(value: unknown, { section, path, envelope }: PartPlace): RequestPart {
  const around = envelope === undefined ? '' : exactText(envelope);
  const counted = countedPart(value);
  const isMedia = counted.media > 0 && counted.text === '';
  return {
    section,
    path,
    id: fingerprintText(`${section} ${around} ${exactText(value)}`),
    sameAs: fingerprintText(`${section} ${around} ${canonicalText(value)}`),
    text: isMedia ? '' : textOf(value),
    counted,
  };
}

function nameOf(tool: unknown): string | undefined {
  if (!isRecord(tool)) return undefined;
  const { name, function: called } = tool;
  return typeof name === 'string' ? name : nameOf(called);
}

/** Makes the part of a tool's definition. */
export function toolPart(tool: unknown, path: string): RequestPart {
  const name = nameOf(tool);
  const part = partOf(tool, { section: 'tools', path });
  return name === undefined ? part : { ...part, name };
}
