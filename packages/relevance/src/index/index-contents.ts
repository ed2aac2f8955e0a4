import type { RelevancePolicy } from '../select/relevance-policy.ts';
import { searchWords } from '../words/split-words.ts';
import {
  accessEdit,
  accessNone,
  accessRead,
  createDocumentTable,
  type DocumentTable,
  rowAt,
} from './document-table.ts';
import { createFieldIndex, type FieldIndex } from './field-index.ts';
import { createFileTable, type FileTable } from './file-table.ts';
import type { RelevanceDocument } from './relevance-document.ts';

/** What a relevance index holds. */
export interface IndexContents {
  readonly documents: DocumentTable;
  readonly files: FileTable;
  readonly index: FieldIndex;
}

export function emptyContents(): IndexContents {
  return { documents: createDocumentTable(), files: createFileTable(), index: createFieldIndex() };
}

/** Adds a document whose id is not held yet. */
export function addDocument(
  { documents, files, index }: IndexContents,
  document: RelevanceDocument,
  policy: RelevancePolicy,
): void {
  const options = { maxCharacters: policy.maxCharacters };
  const body = searchWords(document.body ?? '', options);
  const args = searchWords(document.args ?? '', options);
  const title = searchWords(document.title ?? '', options);
  const ordinal = documents.add({
    id: document.id,
    isFileRead: document.isFileRead ?? false,
    access: accessCode(document),
    body: body.length,
    args: args.length,
    title: title.length,
    file: document.path === undefined ? -1 : files.numberOf(document.path),
    sequence: document.sequence ?? Number.NaN,
    turn: document.turn ?? Number.NaN,
  });
  index.add('body', ordinal, body);
  index.add('args', ordinal, args);
  index.add('title', ordinal, title);
}

/** A copy without what the removed documents left behind. Makes one pass over everything. */
export function compacted({ documents, files, index }: IndexContents): IndexContents {
  const copy = { documents: createDocumentTable(), files: createFileTable() };
  const renumber = new Int32Array(documents.length()).fill(-1);
  for (let ordinal = 0; ordinal < renumber.length; ordinal++) {
    if (documents.columns.isAlive[ordinal] !== 1) continue;
    const row = rowAt(documents.columns, ordinal);
    const file = row.file < 0 ? -1 : copy.files.numberOf(files.pathOf(row.file));
    renumber[ordinal] = copy.documents.add({ ...row, file });
  }
  return { ...copy, index: index.compacted(renumber) };
}

function accessCode({ access }: RelevanceDocument): number {
  if (access === undefined) return accessNone;
  return access === 'edit' ? accessEdit : accessRead;
}
