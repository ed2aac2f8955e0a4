import { type Literal, literalsOfToken, maxPerLine, tokensOf } from './literals.ts';

/** A literal while a conversation is read. */
interface Tally {
  readonly text: string;
  readonly weight: number;
  /** Sum of what its appearances weigh, one a block. */
  mass: number;
  blocks: number;
  lastBlock: number;
}

/** Gives every literal a number and adds up where it appears. */
export interface LiteralTable {
  /** The numbers of a line's literals; new ones are entered. */
  readonly enter: (line: string) => number[];
  /** The numbers of a line's literals as far as they are known. */
  readonly find: (line: string) => number[];
  /** Notes that literal `index` stands in block `block`, once a block. */
  readonly appear: (index: number, block: number, mass: number) => void;
  readonly names: () => string[];
  /** How rare each is: sqrt(idf + 0.2), times its kind. */
  readonly rarity: (blockCount: number) => Float64Array;
  /** Worth of each: sqrt(appearances by place and age) × its kind × sqrt(rarity + 0.2). */
  readonly values: (blockCount: number) => Float64Array;
}

/** Numbers are given in order from 0 and never change. Takes time linear in the text entered. */
export function createLiteralTable(): LiteralTable {
  const tallies: Tally[] = [];
  const numbers = new Map<string, number>();
  // Tokens repeat far more often than they are new.
  const byToken = new Map<string, readonly number[]>();
  const numberOf = ({ text, weight }: Literal): number => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, tallies.length);
    return tallies.push({ text, weight, mass: 0, blocks: 0, lastBlock: -1 }) - 1;
  };
  const ofToken = (token: string): readonly number[] => {
    const remembered = byToken.get(token);
    if (remembered !== undefined) return remembered;
    const made = literalsOfToken(token).map(numberOf);
    byToken.set(token, made);
    return made;
  };
  const known = (token: string): readonly number[] =>
    byToken.get(token) ?? literalsOfToken(token).flatMap(({ text }) => numbers.get(text) ?? []);
  return {
    enter: (line) => distinct(tokensOf(line).flatMap(ofToken)),
    find: (line) => distinct(tokensOf(line).flatMap(known)),
    appear: (index, block, mass) => {
      const tally = tallies[index];
      if (tally === undefined || tally.lastBlock === block) return;
      tally.mass += mass;
      tally.blocks += 1;
      tally.lastBlock = block;
    },
    names: () => tallies.map(({ text }) => text),
    rarity: (blockCount) => Float64Array.from(tallies, (tally) => rarityOf(tally, blockCount)),
    values: (blockCount) =>
      Float64Array.from(tallies, (tally) => Math.sqrt(tally.mass) * rarityOf(tally, blockCount)),
  };
}

/** Each number once, and no more than a line of ordinary text has: their pairs are looked at. */
function distinct(all: readonly number[]): number[] {
  return [...new Set(all)].slice(0, maxPerLine);
}

/** Keeps a literal that stands everywhere from being worth nothing. Source: design. */
const idfFloor = 0.2;

function rarityOf({ weight, blocks }: Tally, blockCount: number): number {
  const idf = Math.log((blockCount + 1) / (blocks + 1));
  return weight * Math.sqrt(Math.max(0, idf) + idfFloor);
}
