import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pdfPages } from './pdf-pages.ts';
import { pdfTokens } from './pdf-tokens.ts';

const page = '4 0 obj << /Type /Page /Parent 2 0 R >> endobj\n';
const pdf = (...bodies: (string | Buffer)[]): Buffer =>
  Buffer.concat(['%PDF-1.7\n', ...bodies, '\n%%EOF'].map((body) => Buffer.from(body)));
const tree = (count: number): string =>
  `2 0 obj << /Type /Pages /Count ${String(count)} /Kids [4 0 R] >> endobj\n`;
const packed = (text: string): Buffer => {
  const body = deflateSync(text);
  const head = `7 0 obj << /Type /ObjStm /Filter /FlateDecode /Length ${String(body.length)} >> stream\r\n`;
  return Buffer.concat([Buffer.from(head), body, Buffer.from('\nendstream endobj\n')]);
};

test('pages in plain objects are counted, their tree is not', () => {
  expect(pdfPages(pdf(tree(3), page, page.replace('/Type /Page', '/Type/Page'), page))).toBe(3);
});

test('pages in packed object streams are counted', () => {
  expect(pdfPages(pdf(packed(`${tree(2)}${page}`), packed(page)))).toBe(2);
});

test('where no page shows, the linearised header and then the page tree are believed', () => {
  expect(pdfPages(pdf('1 0 obj << /Linearized 1 /L 9 /N 12 >> endobj', tree(3)))).toBe(12);
  expect(pdfPages(pdf(tree(5), tree(40)))).toBe(40);
});

test('base64 and data URLs are read too', () => {
  const base64 = pdf(tree(1), page).toString('base64');
  expect(pdfPages(base64)).toBe(1);
  expect(pdfPages(`data:application/pdf;base64,${base64}`)).toBe(1);
});

test('what is no PDF or shows no page has no count', () => {
  expect(pdfPages('')).toBeUndefined();
  expect(pdfPages(Buffer.from('/Type /Page'))).toBeUndefined();
  expect(pdfPages(pdf('nothing'))).toBeUndefined();
});

test('a stream that unpacks to more than the limit or is damaged is passed over', () => {
  const bomb = packed('/Type /Page '.repeat(3_000_000));
  expect(pdfPages(pdf(bomb, page))).toBe(1);
  expect(pdfPages(pdf('/ObjStm stream\nnot packed endstream', page))).toBe(1);
  expect(pdfPages(pdf('/ObjStm '.repeat(1000), page))).toBe(1);
});

test('a count is never over 10,000', () => {
  expect(pdfPages(pdf(tree(9_999_999)))).toBe(10_000);
});

test('no bytes make it throw', () => {
  const part = fc.constantFrom(
    '/Type',
    ' /Page',
    '/Pages',
    '/Count 3',
    '/ObjStm',
    'stream\n',
    'endstream',
    '/N',
  );
  fc.assert(
    fc.property(
      fc.array(fc.oneof(part, fc.string({ maxLength: 5 })), { maxLength: 30 }),
      (parts) => {
        const pages = pdfPages(pdf(...parts));
        expect(pages === undefined || pages >= 1).toBe(true);
      },
    ),
  );
});

test('tokens are pages times the price of a page', () => {
  expect(pdfTokens(10, { model: 'gemini-2.5-pro' })).toBe(2580);
  expect(pdfTokens(10, { model: 'gemini-3-pro' })).toBe(5600);
  expect(pdfTokens(1, { model: 'claude-sonnet-4-5' })).toBe(1600 + 2250);
  expect(pdfTokens(2, { model: 'gpt-4o', textTokensPerPage: 400 })).toBe(2 * (1105 + 400));
  expect(pdfTokens(pdf(tree(2), page, page), { provider: 'google' })).toBe(516);
});

test('a PDF whose pages do not show counts one page per 50 KB, and at least one', () => {
  expect(pdfTokens(Buffer.alloc(120_000), { provider: 'google' })).toBe(3 * 258);
  expect(pdfTokens(Number.NaN, { provider: 'google' })).toBe(258);
});
