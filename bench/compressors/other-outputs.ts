import { midst, type Sample, sentence, times } from './sample.ts';

function clock(index: number): string {
  const two = (value: number): string => String(value % 60).padStart(2, '0');
  return `10:${two(Math.floor(index / 60))}:${two(index)}`;
}

const serviceLog: Sample = {
  name: 'log of a service',
  text: `${times(900, (index) => {
    const at = `2026-03-01T${clock(index)}.${String(100 + (index % 900))}Z`;
    if (index === 120) return `${at} INFO  accepted payment pay-7f31c2 of cart 881`;
    if (index === 450)
      return `${at} ERROR payment pay-7f31c2 failed: card was declined\n    at charge (src/pay.ts:88:11)\n    at settle (src/settle.ts:41:3)`;
    if (index === 700) return `${at} WARN  pool has 1 connection left of 20`;
    return `${at} INFO  ${index % 3 === 0 ? 'GET' : 'POST'} /api/orders/${String(index * 7)} ${String(20 + (index % 70))} ms`;
  }).join('\n')}\n`,
  keys: [
    'ERROR payment pay-7f31c2 failed: card was declined',
    'at charge (src/pay.ts:88:11)',
    'at settle (src/settle.ts:41:3)',
    'accepted payment pay-7f31c2 of cart 881',
    'WARN  pool has 1 connection left of 20',
  ],
};

const rows = Array.from({ length: 300 }, (_row, index) => ({
  id: `ord-${String(10_000 + index)}`,
  status: index % 29 === 7 ? 'failed' : 'paid',
  amount: 1000 + ((index * 37) % 900),
  currency: index === 211 ? 'JPY' : 'EUR',
  note: index === 93 ? 'call back before Friday' : null,
}));
const rowKeys = rows
  .filter(
    ({ status, currency, note }) => status === 'failed' || currency === 'JPY' || note !== null,
  )
  .map(({ id }) => id);

const jsonRows: Sample = {
  name: 'JSON, 300 rows',
  text: JSON.stringify(rows, undefined, 2),
  keys: [...rowKeys, 'call back before Friday', 'JPY'],
};

const jsonAnswer: Sample = {
  name: 'JSON, rows in an answer of an API',
  text: JSON.stringify({ data: { orders: rows, total: 300 }, next: 'cur-9931' }),
  keys: [...rowKeys, 'cur-9931'],
};

const jsonLines: Sample = {
  name: 'JSON lines',
  text: `${times(500, (index) =>
    JSON.stringify({
      at: index,
      level: index === 250 ? 'fatal' : 'info',
      message: index === 250 ? 'disk sdb1 is gone' : 'heartbeat',
    }),
  ).join('\n')}\n`,
  keys: ['fatal', 'disk sdb1 is gone'],
};

const matches = times(260, (index) => {
  const path = `src/rooms/room${String(index % 30)}/handlers.ts`;
  return `${path}:${String(index + 3)}:  const result = await loadOrder(${sentence(index).replaceAll(' ', ', ')}, options);`;
});
const places = matches.map((line) => line.split(':', 2).join(':'));

const grep: Sample = { name: 'grep -rn', text: `${matches.join('\n')}\n`, keys: places };

const diff: Sample = {
  name: 'git diff',
  text: `${['package-lock.json', ...times(14, (index) => `src/part${String(index)}.ts`)]
    .map((path) =>
      [
        `diff --git a/${path} b/${path}`,
        'index 1a2b3c4..5d6e7f8 100644',
        `--- a/${path}`,
        `+++ b/${path}`,
        `@@ -10,4 +10,${path.endsWith('json') ? '304' : '34'} @@`,
        ...times(4, (line) => ` const before${String(line)} = ${String(line)};`),
        ...times(
          path.endsWith('json') ? 300 : 30,
          (line) => `+  "${path}-${String(line)}": "${sentence(line)}",`,
        ),
      ].join('\n'),
    )
    .join('\n')}\n`,
  keys: ['package-lock.json', ...times(14, (index) => `src/part${String(index)}.ts`)],
};

const colours: Sample = {
  name: 'build with colours',
  text: midst(
    times(
      400,
      (index) =>
        `\u001b[32m✔\u001b[39m \u001b[90m[${clock(index)}]\u001b[39m compiled \u001b[36msrc/part${String(index)}.ts\u001b[39m in ${String(index % 90)} ms`,
    ),
    "\u001b[31msrc/login.ts\u001b[39m:\u001b[33m12\u001b[39m:\u001b[33m5\u001b[39m - \u001b[31merror\u001b[39m TS2322: Type 'string' is not assignable to type 'number'.",
  ),
  keys: ["error TS2322: Type 'string' is not assignable to type 'number'.", 'src/login.ts:12:5'],
};

const progress: Sample = {
  name: 'progress bar',
  text: `Downloading model\n${times(600, (index) => `\r${'█'.repeat(index / 12)}${' '.repeat(50 - Math.floor(index / 12))} ${String(Math.floor(index / 6))}% ${String(index)}/600 MB`).join('')}\nchecksum mismatch: want 77ab, got 12cd\n`,
  keys: ['checksum mismatch: want 77ab, got 12cd', '599/600 MB'],
};

/** Characters as base64 has them, the same at every run. */
function base64(length: number): string {
  let state = 7;
  return times(length, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.charAt(
      Math.floor(state / 65_536) % 64,
    );
  }).join('');
}

const image: Sample = {
  name: 'base64',
  text: `<img alt="logo" src="data:image/png;base64,\n${base64(12_000)}\n">\nwritten to dist/logo.html\n`,
  keys: ['<img alt="logo"', 'written to dist/logo.html'],
};

const minified: Sample = {
  name: 'minified code',
  text: `// app.min.js, 3.2.1\n${times(300, (index) => `function a${String(index)}(b){return b.c${String(index)}?d(b.c${String(index)}):e(b,${String(index)})}`).join(';')}\n//# sourceMappingURL=app.min.js.map\n`,
  keys: ['app.min.js, 3.2.1', 'sourceMappingURL=app.min.js.map'],
};

const paths: Sample = {
  name: 'find, 900 paths',
  text: `${times(900, (index) => `./packages/part${String(index % 25)}/src/${sentence(index).replaceAll(' ', '-')}.ts`).join('\n')}\n`,
  keys: times(25, (index) => `packages/part${String(index)}/`),
};

const install: Sample = {
  name: 'pip install that fails',
  text: `${times(300, (index) => `Collecting package-${String(index)}==1.${String(index)}.0\n  Downloading package_${String(index)}-1.${String(index)}.0-py3-none-any.whl (${String(20 + index)} kB)`).join('\n')}
ERROR: Cannot install package-7 and package-9 because these package versions have conflicting dependencies.
The conflict is caused by:
    package-7 1.7.0 depends on urllib3<2
    package-9 1.9.0 depends on urllib3>=2
`,
  keys: [
    'ERROR: Cannot install package-7 and package-9',
    'package-7 1.7.0 depends on urllib3<2',
    'package-9 1.9.0 depends on urllib3>=2',
  ],
};

/** Rows of a table, two of them unlike the others. */
const orders: readonly (readonly string[])[] = times(400, (index) =>
  [String(index), `customer ${String(index % 40)}`, 'paid', String(20 + (index % 31))].join('|'),
).map((row, index) =>
  row.replace('paid', [90, 310].includes(index) ? 'disputed' : 'paid').split('|'),
);

const query: Sample = {
  name: 'table of psql',
  text: ` id | customer | state | amount \n----+----------+-------+--------\n${orders.map((cells) => ` ${cells.join(' | ')}`).join('\n')}\n(400 rows)\n`,
  keys: [
    'id | customer | state',
    '90 | customer 10 | disputed | 48',
    '310 | customer 30 | disputed',
  ],
};

const commas: Sample = {
  name: 'CSV, 400 rows',
  text: `id,customer,state,amount\n${orders.map((cells) => cells.join(',')).join('\n')}\n`,
  keys: ['id,customer,state,amount', '90,customer 10,disputed,48', '310,customer 30,disputed'],
};

const lint: Sample = {
  name: 'eslint, warnings and 3 errors',
  text: `${times(60, (file) =>
    [
      `/repo/src/part${String(file)}.ts`,
      ...times(
        8,
        (index) =>
          `  ${String(index * 9 + 4)}:7   warning  '${
            sentence(index + file)
              .split(' ')
              .at(2) ?? ''
          }' is assigned a value but never used  no-unused-vars`,
      ),
      ...([7, 31, 55].includes(file) ? [`  91:3   error    'price' is not defined  no-undef`] : []),
      '',
    ].join('\n'),
  ).join('\n')}\n✖ 483 problems (3 errors, 480 warnings)\n`,
  keys: [
    ...[7, 31, 55].map((file) => `/repo/src/part${String(file)}.ts`),
    `91:3   error    'price' is not defined  no-undef`,
    '✖ 483 problems (3 errors, 480 warnings)',
  ],
};

/** Logs, JSON, lists, diffs and what terminals print, each with what must not be lost. */
export const otherOutputs: readonly Sample[] = [
  serviceLog,
  jsonRows,
  jsonAnswer,
  jsonLines,
  grep,
  diff,
  colours,
  progress,
  image,
  minified,
  paths,
  install,
  query,
  commas,
  lint,
];
