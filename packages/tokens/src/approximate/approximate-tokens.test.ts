import fc from 'fast-check';
import { expect, test } from 'vitest';
import { approximateTokens } from './approximate-tokens.ts';

/** Texts of this test's own, and their tokens in o200k_base as tiktoken 1.0.22 counts them. */
const samples: readonly (readonly [string, string, number])[] = [
  [
    'code',
    "export function readLines(text: string, options: ReadLinesOptions = {}): ReadLinesAnswer {\n  const limits = { ...defaultReadLimits, ...options };\n  checkPositive('maxCharacters', limits.maxCharacters);\n  if (limits.from === undefined) return [];\n}\n",
    55,
  ],
  [
    'JSON',
    '{"type":"tool_result","tool_use_id":"toolu_01","content":[{"type":"text","text":"3 files changed"}],"is_error":false,"usage":{"input_tokens":1523,"output_tokens":87}}',
    47,
  ],
  [
    'English',
    'A tool output that does not fit the window is put aside, and a short pointer takes its place. The agent can read it back whenever the task needs it, by lines or by pattern.',
    39,
  ],
  [
    'German',
    'Eine Ausgabe, die nicht in das Fenster passt, wird beiseitegelegt, und ein kurzer Verweis tritt an ihre Stelle. Bei Bedarf liest der Agent sie wieder ein.',
    35,
  ],
  [
    'Chinese',
    '工具的输出如果放不进窗口,就会被保存起来,并用一个简短的指针代替。任务需要时,代理可以按行或按模式重新读取。',
    40,
  ],
  [
    'Chinese in traditional signs',
    '昨天下午,市政府宣布將從下個月開始調整公車票價,並增加往返機場的班次。許多民眾表示,雖然票價上漲讓生活負擔變重,但如果能縮短等車時間,他們願意接受。',
    68,
  ],
  [
    'Japanese',
    'ウィンドウに収まらないツールの出力は保存され、短いポインターに置き換えられます。必要になれば、エージェントは行やパターンで読み返せます。',
    52,
  ],
  [
    'Korean',
    '창에 들어가지 않는 도구의 출력은 따로 저장되고 짧은 포인터가 그 자리를 대신합니다. 필요할 때 에이전트가 다시 읽을 수 있습니다.',
    40,
  ],
  [
    'Russian',
    'Вывод инструмента, который не помещается в окно, откладывается, а его место занимает короткая ссылка. При необходимости агент читает его снова.',
    32,
  ],
  [
    'a log',
    '2026-11-02T10:15:30.123Z INFO [worker-3] request id=5f3a9c took 123ms status=200 path=/api/v1/items/42\n2026-11-02T10:15:30.123Z INFO [worker-3] request id=5f3a9c took 123ms status=200 path=/api/v1/items/42\n2026-11-02T10:15:30.123Z INFO [worker-3] request id=5f3a9c took 123ms status=200 path=/api/v1/items/42\n2026-11-02T10:15:30.123Z INFO [worker-3] request id=5f3a9c took 123ms status=200 path=/api/v1/items/42\n',
    184,
  ],
  [
    'a hash list',
    '3b18e512dba79e4c8300dd08aeb37f8e728b8dad  src/index.ts\nda39a3ee5e6b4b0d3255bfef95601890afd80709  src/errors.ts\n',
    58,
  ],
  [
    'prose full of figures',
    'A save took 0.82 ms, 1,204 of 2,000 were under 1 ms, and 14 of 50 clients saw 3 errors in 20 minutes.',
    40,
  ],
  ['a list of numbers', '120 7 4096 33 81920 5 200 404 12 9 1024 65536 3 77 1500 42', 36],
  [
    'a number a line',
    '120\n7\n4096\n33\n81920\n5\n200\n404\n12\n9\n1024\n65536\n3\n77\n1500\n42',
    36,
  ],
  [
    'base64',
    'bjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB1L9RIvNEVUxTveLruM0rfj0WAK1jHDhaXXzOI8d4VFmtvBtMkA/+SNV1tdpcY4BAEl9l2w/j4kSUt26phkV9mGCE/tCLl4r019GWp0RqhrWACeY2thHbFiEbZamq3/KcU=',
    118,
  ],
  [
    'a diff',
    '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -12,7 +12,7 @@ export function f() {\n-  return value + 1;\n+  return value + 2;\n }\n',
    44,
  ],
];

test.each(samples)('%s is at most 20 %% off', (_, text, tokens) => {
  expect(Math.abs(approximateTokens(text) / tokens - 1)).toBeLessThan(0.2);
});

test('the empty text has no tokens, any other at least one', () => {
  expect(approximateTokens('')).toBe(0);
  expect(approximateTokens(' ')).toBe(1);
  expect(approximateTokens('a')).toBe(1);
});

test('is a whole number for anything, lone surrogates and special tokens included', () => {
  const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.constant('\ud800<|endoftext|>'));
  fc.assert(
    fc.property(anyText, (text) => {
      const tokens = approximateTokens(text);
      expect(Number.isSafeInteger(tokens) && tokens >= (text === '' ? 0 : 1)).toBe(true);
    }),
  );
});

test('two texts together cost about what they cost alone', () => {
  const words = fc
    .array(fc.constantFrom('alpha ', '12, ', 'foo();\n', '你好', 'привет '))
    .map((x) => x.join(''));
  fc.assert(
    fc.property(words, words, (a, b) => {
      const apart = approximateTokens(a) + approximateTokens(b);
      expect(Math.abs(approximateTokens(a + b) - apart)).toBeLessThanOrEqual(2);
    }),
  );
});

test.each(['a', 'A', '9', ' ', '\n', '=', '你', 'я', '\u0301', '😀', '\ud800', 'aB', 'Ab1'])(
  'comes to an end on 1,000,000 repetitions of %j',
  (part) => {
    expect(approximateTokens(part.repeat(1_000_000))).toBeGreaterThan(1_000);
  },
);
