import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compressText } from './compress-text.ts';

const countTokens = (text: string): number => Math.ceil(text.length / 3);

function judge(lines: readonly string[]) {
  const text = lines.join('\n');
  return compressText({ text, tokens: countTokens(text), countTokens });
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const clock = (index: number): string =>
  [index / 3600, (index / 60) % 60, index % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':');

/** Lines of one form with another in the middle, and what has to be shown of it. */
const samples: readonly (readonly [string, (index: number) => string, string, string])[] = [
  [
    'log of services, one of which failed to answer',
    (index) => `web-${index % 3}  | ${clock(index)} GET /items/${index} 200 ${index % 50}ms`,
    `web-1  | 00:05:01 GET /items/7 502 3ms`,
    ' 502 ',
  ],
  [
    'list of system calls',
    (index) => `read(3, "${index}"..., 4096) = 4096`,
    `openat(AT_FDCWD, "/etc/app.conf", O_RDONLY) = -1`,
    '/etc/app.conf',
  ],
  [
    'list of metrics',
    (index) => `requests_total{path="/p${index}",code="200"} ${index * 3}`,
    `requests_total{path="/p17",code="503"} 9`,
    'code="503"',
  ],
  [
    'list of records of a database',
    (index) => `-[ RECORD ${index} ]---\nid    | ${index}\nmail  | u${index}@x.org\nstate | active`,
    `-[ RECORD 350 ]---\nid    | 350\nmail  | u350@x.org\nstate | locked`,
    'state | locked',
  ],
  [
    'list of changed files',
    (index) => `\tmodified:   src/gen/file${index}.ts`,
    '\tdeleted:    src/gen/file7.ts',
    'deleted:',
  ],
];

test.each(samples)('a %s shows the line that no others are like', (_, make, odd, wanted) => {
  const lines = times(700, (index) => (index === 350 ? odd : make(index)));
  const { kind, compressed } = judge(lines.join('\n').split('\n'));
  expect(kind).toBe('like lines');
  expect(compressed?.shown).toContain(wanted);
  expect(compressed?.left.join()).toMatch(/^\d+ lines that are like others$/);
});

test('a plan of Terraform shows each resource that changes, and the sum', () => {
  const resource = (index: number): string[] => [
    `  # aws_instance.web[${index}] will be ${index === 60 ? 'destroyed' : 'updated in-place'}`,
    `  ~ resource "aws_instance" "web" {`,
    ...times(9, (at) => `      - part_${at} = "${index}" -> null`),
    '    }',
    '',
  ];
  const lines = [
    'Terraform will perform the following actions:',
    ...times(120, resource).flat(),
    'Plan: 0 to add, 119 to change, 1 to destroy.',
  ];
  const shown = judge(lines).compressed?.shown ?? '';
  for (const line of lines.filter((one) => / will be |^Plan/.test(one)))
    expect(shown).toContain(line);
});

test.each([
  ['between blanks', (index: number) => `GET /item 200 in ${index % 9} ms`],
  ['between signs', (index: number) => `app | GET /item, 200, in ${index % 9} ms`],
] as const)(
  '%s every line of another form, and every line with a number that few others have, is shown',
  (_, make) => {
    const odd = fc.constantFrom(
      'kept 1 of everything',
      'no such volume: data',
      'GET /of 204 in 1 ms',
      make(7).replace('200', '500'),
    );
    const place = fc.integer({ min: 0, max: 999 });
    fc.assert(
      fc.property(fc.array(fc.tuple(place, odd), { minLength: 1, maxLength: 9 }), (odds) => {
        const byPlace = new Map(odds);
        const lines = times(1000, (index) => byPlace.get(index) ?? make(index));
        const { kind, compressed } = judge(lines);
        expect(['like lines', 'log']).toContain(kind);
        for (const line of byPlace.values()) expect(compressed?.shown.split('\n')).toContain(line);
      }),
    );
  },
);

test.each([
  [
    'rows that begin with a date',
    ['date,commit,size,status', (index: number) => `2026-03-${10 + (index % 9)},c${index},9,ok`],
    `2026-03-11,c7,9,lost`,
  ],
  [
    'times below a line of their own',
    ['Starting', (index: number) => `${clock(index)} worker ${index % 7} is done`],
    `00:05:50 worker 3 stopped: disk full, error 28`,
  ],
] as const)('%s are no list of matches', (_, [head, make], odd) => {
  const lines = [head, ...times(700, (index) => (index === 350 ? odd : make(index)))];
  const { kind, compressed } = judge(lines);
  expect(kind).not.toBe('list of matches');
  expect(compressed?.shown).toContain(odd);
});

test('a table whose last column is empty is a table', () => {
  const row = (name: string, share: number): string =>
    ` ${name} |  ${share} |  ${share} |  ${share} |`;
  const lines = [
    'File      | % Stmts | % Funcs | % Lines | Uncovered',
    ...times(600, (index) => (index === 300 ? row('bare.ts', 12) : row(`file${index}.ts`, 100))),
  ];
  const { kind, compressed } = judge(lines);
  expect(kind).toBe('table');
  expect(compressed?.shown).toContain('bare.ts');
});

test('a number that few lines have is shown however near it is, and one far from the others however many lines have it', () => {
  const near = times(1000, (index) => `GET /items/${index} ${index === 500 ? 201 : 200} done`);
  expect(judge(near).compressed?.shown).toContain('GET /items/500 201 done');

  const waits = times(1000, (index) => (index === 501 ? 77 : index % 33 === 0 ? 9000 : index % 33));
  const far = waits.map((wait, index) => `latency{path="/p${index}"} ${wait}`);
  const shown = judge(far).compressed?.shown ?? '';
  expect(shown).toContain(`latency{path="/p501"} 77`);
  expect(far.filter((line) => line.endsWith(' 9000') && !shown.includes(line))).toEqual([]);
});
