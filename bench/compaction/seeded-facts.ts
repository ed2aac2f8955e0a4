import { type Message, unitsOf } from '@ctx/core';
import { createRandom, type Random } from './random.ts';

export type FactSource = 'user' | 'assistant' | 'tool';

/** Something stated once in a long history, and what a reader must still find together on one line. */
export interface SeededFact {
  readonly statement: string;
  readonly subject: string;
  readonly value: string;
  readonly source: FactSource;
}

export interface SeededHistory {
  readonly messages: readonly Message[];
  readonly facts: readonly SeededFact[];
}

const names = 'Priya Dmitri Marlow Ines Okafor Tamsin Reuben Yuki Lars Noor Callum Bettina'.split(
  ' ',
);
const things =
  'heron kestrel otter walnut saffron cobalt juniper marble lantern thistle quarry beacon harbour willow'.split(
    ' ',
  );
const cities = 'Lisbon Tartu Graz Leeds Bilbao Turku Ghent Split Cork Basel'.split(' ');
const months = 'January March April June July September October November'.split(' ');

type Template = (random: Random) => Omit<SeededFact, 'source'>;

/** Ways in which people and tools state something, from a plain setting to a remark without any number. */
const templates: readonly Template[] = [
  (r) =>
    fact(
      `${r.pick(things)}-${r.upTo(900)}`,
      String(1024 + r.upTo(60_000)),
      (s, v) => `The ${s} service listens on port ${v}.`,
    ),
  (r) =>
    fact(
      `${r.pick(things)}_limit_${r.upTo(900)}`,
      String(2 + r.upTo(9000)),
      (s, v) => `${s} is set to ${v}`,
    ),
  (r) =>
    fact(`OPS-${1000 + r.upTo(9000)}`, r.pick(names), (s, v) => `Ticket ${s} is assigned to ${v}.`),
  (r) =>
    fact(
      `${r.pick(cities)} review ${r.upTo(90)}`,
      `${1 + r.upTo(28)} ${r.pick(months)}`,
      (s, v) => `The ${s} was moved to ${v}.`,
    ),
  (r) =>
    fact(
      `${r.pick(things)}${r.upTo(900)}`,
      `https://${r.pick(things)}${r.upTo(999)}.example/v${r.upTo(9)}`,
      (s, v) => `Base address of ${s}: ${v}`,
    ),
  (r) =>
    fact(
      `invoice ${10_000 + r.upTo(80_000)}`,
      `${r.upTo(900)}.${10 + r.upTo(89)} EUR`,
      (s, v) => `The amount of ${s} is ${v}.`,
    ),
  (r) =>
    fact(
      `${r.pick(names)} from ${r.pick(cities)}`,
      `${r.pick(things)} ${r.pick(things)}`,
      (s, v) => `${s} prefers the ${v} layout.`,
    ),
  (r) =>
    fact(
      `team ${r.pick(things)} ${r.pick(cities)}`,
      r.pick(names),
      (s, v) => `The lead of ${s} is ${v}, since the spring.`,
    ),
  (r) =>
    fact(
      `build ${r.upTo(9999)}`,
      `${r.pick(things)}-${r.upTo(99)}`,
      (s, v) => `${s} failed because the runner ${v} had no disk left.`,
    ),
  (r) =>
    fact(
      `the ${r.pick(things)} ${r.pick(things)} export`,
      `${2 + r.upTo(50)} minutes`,
      (s, v) => `It turned out that ${s} takes ${v} on the small machine.`,
    ),
];

function fact(
  subject: string,
  value: string,
  say: (subject: string, value: string) => string,
): Omit<SeededFact, 'source'> {
  return { subject, value, statement: say(subject, value) };
}

/** Puts `count` facts into a history at even distances, a third each from the user, the assistant and tools. */
export function seedFacts(history: readonly Message[], count: number, seed: number): SeededHistory {
  const random = createRandom(seed);
  const units = unitsOf(history);
  const facts: SeededFact[] = [];
  const messages: Message[] = [];
  units.forEach((unit, index) => {
    const due = Math.floor(((index + 1) * count) / units.length);
    let part: readonly Message[] = history.slice(unit.start, unit.end);
    while (facts.length < due) {
      const source = sourceOf(facts.length, part);
      const template = templates[facts.length % templates.length];
      if (template === undefined) return;
      const made = { ...template(random), source };
      facts.push(made);
      part = withFact(part, made, random);
    }
    messages.push(...part);
  });
  return { messages, facts };
}

function sourceOf(number: number, part: readonly Message[]): FactSource {
  const wanted = (['user', 'assistant', 'tool'] as const)[number % 3] ?? 'user';
  return wanted === 'tool' && !part.some(hasResult) ? 'user' : wanted;
}

function hasResult({ content }: Message): boolean {
  return content.some((block) => block.type === 'tool_result');
}

function withFact(part: readonly Message[], made: SeededFact, random: Random): readonly Message[] {
  const said = { type: 'text', text: made.statement } as const;
  if (made.source === 'user') return [...part, { role: 'user', content: [said] }];
  if (made.source === 'assistant') return [{ role: 'assistant', content: [said] }, ...part];
  let isPlaced = false;
  return part.map((message) => ({
    ...message,
    content: message.content.map((block) => {
      if (block.type !== 'tool_result' || isPlaced) return block;
      isPlaced = true;
      return {
        ...block,
        content: block.content.map((inner) =>
          inner.type === 'text'
            ? { ...inner, text: insertLine(inner.text, made.statement, random) }
            : inner,
        ),
      };
    }),
  }));
}

function insertLine(text: string, line: string, random: Random): string {
  const lines = text.split('\n');
  return lines.toSpliced(random.upTo(lines.length), 0, line).join('\n');
}

/** The share of the facts that a text keeps, of one source or of all. */
export function keptShare(facts: readonly SeededFact[], text: string, source?: FactSource): number {
  const asked = source === undefined ? facts : facts.filter((made) => made.source === source);
  const lines = text.split('\n');
  const kept = asked.filter(({ subject, value }) =>
    lines.some((line) => line.includes(subject) && line.includes(value)),
  );
  return kept.length / asked.length;
}
