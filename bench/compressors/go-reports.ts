import { midst, type Sample, sentence, times } from './sample.ts';

export const goTest: Sample = {
  name: 'go test -v',
  text: midst(
    times(150, (index) =>
      [
        `=== RUN   TestPart${String(index)}`,
        `=== RUN   TestPart${String(index)}/${sentence(index).replaceAll(' ', '_')}`,
        `--- PASS: TestPart${String(index)} (0.00s)`,
        `    --- PASS: TestPart${String(index)}/${sentence(index).replaceAll(' ', '_')} (0.00s)`,
      ].join('\n'),
    ),
    '=== RUN   TestLogin',
    '    login_test.go:48: got status 200, want 401',
    '--- FAIL: TestLogin (0.02s)',
  ).concat(
    'FAIL\nFAIL\texample.com/shop/login\t0.051s\nok  \texample.com/shop/cart\t0.010s\nFAIL\n',
  ),
  keys: [
    'login_test.go:48: got status 200, want 401',
    '--- FAIL: TestLogin',
    'FAIL\texample.com/shop/login\t0.051s',
  ],
};

export const goJson: Sample = {
  name: 'go test -json',
  text: `${times(400, (index) => {
    const isFailed = index === 201 || index === 202;
    const test = isFailed ? 'TestRefund' : `TestPart${String(Math.floor(index / 2))}`;
    const line = {
      Time: `2026-03-01T10:00:00.${String(100000 + index)}Z`,
      Action: index % 2 === 0 ? 'output' : 'pass',
      Package: 'example.com/shop',
      Test: test,
      Output: `--- PASS: ${test} (0.00s)\n`,
    };
    if (index === 201)
      return JSON.stringify({
        ...line,
        Action: 'output',
        Output: '    refund_test.go:31: refunded twice\n',
      });
    return JSON.stringify(index === 202 ? { ...line, Action: 'fail', Elapsed: 0.2 } : line);
  }).join('\n')}\n`,
  keys: ['refund_test.go:31: refunded twice', '"fail"', 'TestRefund'],
};
