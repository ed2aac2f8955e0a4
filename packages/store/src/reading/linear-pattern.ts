import { type PatternNode, type Place, parsePattern } from './parse-pattern.ts';
import { badPattern, isWordSign, type SignTest } from './pattern-characters.ts';

/** A compiled pattern. */
export interface LinearPattern {
  /** Returns where the first match from `from` on (default 0) begins in `line`, -1 if there is none. */
  search(line: string, from?: number): number;
}

/** One instruction of the machine. `next` and `other` are places in the program. */
type Instruction =
  | { readonly type: 'sign'; readonly test: SignTest }
  | { readonly type: 'place'; readonly place: Place }
  | Fork;

interface Fork {
  readonly type: 'split';
  next: number;
  other: number;
}

/** Most instructions: the cost of each character. */
const maxProgram = 2_000;

/**
 * Compiles a regular expression that matches in linear time whatever it says: all its ways are walked side by side, never one
 * after the other. Known: literals, `.`, classes, `\d \w \s \b` and their opposites, groups, `|`, `* + ? {n,m}`, `^`, `$`. Cost of a
 * search: characters × parts of the pattern. Source: K. Thompson, Regular Expression Search Algorithm, 1968.
 * @throws `CTX_INVALID_INPUT` for references back, looking ahead or behind, and what it cannot read.
 */
export function compilePattern(source: string, ignoreCase = false): LinearPattern {
  const program: Instruction[] = [];
  emit(parsePattern(source, ignoreCase), program);
  return { search: (line, from = 0) => search(program, line, from) };
}

function emit(node: PatternNode, program: Instruction[]): void {
  if (program.length > maxProgram) throw badPattern('too many parts', 0);
  switch (node.type) {
    case 'sign':
    case 'place':
      program.push(node);
      return;
    case 'sequence':
      for (const item of node.items) emit(item, program);
      return;
    case 'choice':
      emitChoice(node.options, program);
      return;
    case 'repeat':
      emitRepeat(node, program);
  }
}

function emitChoice(options: readonly PatternNode[], program: Instruction[]): void {
  const ends: Fork[] = [];
  for (const [index, option] of options.entries()) {
    const fork = pushFork(program);
    emit(option, program);
    ends.push(pushFork(program));
    // Beside this option stands the next one; beside the last one stands nothing.
    if (index < options.length - 1) fork.other = program.length;
  }
  for (const end of ends) {
    end.next = program.length;
    end.other = program.length;
  }
}

/** Pushes a fork both of whose ways lead to the instruction after it. */
function pushFork(program: Instruction[]): Fork {
  const fork: Fork = { type: 'split', next: program.length + 1, other: program.length + 1 };
  program.push(fork);
  return fork;
}

function emitRepeat(node: PatternNode & { type: 'repeat' }, program: Instruction[]): void {
  for (let copy = 0; copy < node.min; copy += 1) emit(node.item, program);
  const more = Number.isFinite(node.max) ? node.max - node.min : 1;
  const forks: Fork[] = [];
  const loop = program.length;
  for (let copy = 0; copy < more; copy += 1) {
    forks.push(pushFork(program));
    emit(node.item, program);
  }
  if (!Number.isFinite(node.max)) program.push({ type: 'split', next: loop, other: loop });
  for (const fork of forks) fork.other = program.length;
}

/** The places in the program that are alive, each with where its match began. Earlier matches come first. */
interface Threads {
  readonly places: number[];
  readonly begins: number[];
}

function search(program: readonly Instruction[], line: string, from: number): number {
  const seen = new Int32Array(program.length + 1).fill(-1);
  let live: Threads = { places: [], begins: [] };
  let found = -1;
  for (let at = from; at <= line.length; at += 1) {
    const next: Threads = { places: [], begins: [] };
    if (found === -1) addThread(live, 0, at);
    for (const [index, place] of live.places.entries()) {
      const begin = live.begins[index] ?? at;
      if (found !== -1 && begin >= found) break;
      if (walk({ program, line, at, seen }, place, { begin, next })) found = begin;
    }
    if (found !== -1 && next.places.length === 0) return found;
    live = next;
  }
  return found;
}

function addThread(threads: Threads, place: number, begin: number): void {
  threads.places.push(place);
  threads.begins.push(begin);
}

interface Moment {
  readonly program: readonly Instruction[];
  readonly line: string;
  readonly at: number;
  /** The moment at which each place was last walked through. */
  readonly seen: Int32Array;
}

/** Walks on from a place without reading, then reads one character. Says whether the end of the pattern was reached. */
function walk(moment: Moment, from: number, to: { begin: number; next: Threads }): boolean {
  const { program, line, at, seen } = moment;
  const open = [from];
  let isMatch = false;
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (seen[place] === at) continue;
    seen[place] = at;
    const instruction = program[place];
    if (!instruction) isMatch = true;
    else if (instruction.type === 'split') open.push(instruction.other, instruction.next);
    else if (instruction.type === 'place') {
      if (isAt(instruction.place, line, at)) open.push(place + 1);
    } else if (at < line.length && instruction.test(line.charAt(at))) {
      addThread(to.next, place + 1, to.begin);
    }
  }
  return isMatch;
}

function isAt(place: Place, line: string, at: number): boolean {
  if (place === 'start') return at === 0;
  if (place === 'end') return at === line.length;
  const isEdge = isWordSign(line.charAt(at - 1)) !== isWordSign(line.charAt(at));
  return isEdge === (place === 'word-edge');
}
