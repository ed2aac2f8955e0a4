import { expect, it } from 'vitest';
import type { StoredRecord } from '../backend/store-backend.ts';
import { emptySessionDocument } from './session-document.ts';
import { knownTexts, sessionTextOf } from './session-record.ts';

function recordOf(body: string, version = 1): StoredRecord {
  const columns = { agent_id: null, title: null, source: null, created_at: 1, updated_at: 2 };
  return { key: ['s'], version, columns, body };
}

it('gives the text of a document as it is stored, and checks it once', () => {
  const known = knownTexts();
  const body = JSON.stringify(emptySessionDocument('s'));
  expect(sessionTextOf(recordOf(body, 3), known)).toEqual({
    session: { id: 's', version: 3, createdAt: 1, updatedAt: 2 },
    document: body,
  });
  expect(known.has('s', body)).toBe(true);
});

it('writes a text anew where it holds values that JSON has none for', () => {
  const known = knownTexts();
  const document = { ...emptySessionDocument('s'), long_term_summary: 'rang \u0007' };
  const body = JSON.stringify(document);
  const text = sessionTextOf(recordOf(body), known);
  expect(JSON.parse(text.document)).toEqual(document);
  expect(known.has('s', body)).toBe(false);
});

it('refuses a text that is no document, also where another one was known', () => {
  const known = knownTexts();
  sessionTextOf(recordOf(JSON.stringify(emptySessionDocument('s'))), known);
  const damaged = recordOf('{"session_id":');
  expect(() => sessionTextOf(damaged, known)).toThrow('no session document');
  expect(() => sessionTextOf(recordOf('[]'), known)).toThrow('no session document');
  const edited = recordOf(JSON.stringify({ ...emptySessionDocument('s'), facts: 'none' }));
  expect(() => sessionTextOf(edited, known)).toThrow(
    'session s is no session document: facts: Invalid input: expected array',
  );
});

it('knows the last texts only, and no long ones', () => {
  const known = knownTexts();
  for (let index = 0; index < 200; index += 1) known.add(`s${String(index)}`, 'text');
  expect(known.has('s0', 'text')).toBe(false);
  expect(known.has('s199', 'text')).toBe(true);
  const long = 'x'.repeat(40_000);
  known.add('long', long);
  expect(known.has('long', long)).toBe(false);
});
