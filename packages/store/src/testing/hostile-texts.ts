/**
 * Text that has broken stores before: as SQL, as a pattern, as a path, as a property name, as a terminal escape, by its length
 * or by what the file system makes of it. All of it is well-formed and without U+0000.
 */
export const hostileTexts: readonly string[] = [
  // Read as something else than itself.
  ["'", '"', '`', "''", '""', "\\'", '\\', '\\\\', ';', '--', '/*', '*/', '#', '?', ':id', '$1'],
  ["' OR '1'='1", "'; DROP TABLE things; --", '" OR ""="', "') UNION SELECT 1 --", "a'||'b"],
  [
    '%',
    '_',
    'a%',
    'a_',
    '*',
    'a*',
    '[a]',
    '^a',
    'a?',
    '{"$gt":""}',
    '{"$ne":null}',
    '${a}',
    '$where',
  ],
  // Paths and names of files.
  [
    '.',
    '..',
    '../',
    '../../etc/passwd',
    '..\\',
    '/',
    '//',
    '/a',
    'a/',
    'a/b',
    '~',
    '%2e%2e%2f',
    '%2F',
  ],
  ['C:\\', 'C:', 'CON', 'con', 'NUL', 'aux.json', 'LPT1', 'COM1.txt', 'a:b', 'a|b', 'a<b>', '-rf'],
  ['.hidden', 'a.json', 'a.json.tmp', 'a.lock', 'a.', 'a..', 'a ', ' a', '  ', ' ', ''],
  // What languages look up.
  [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'then',
    'null',
    'undefined',
  ],
  ['true', 'false', '0', '-0', '00', '1e3', 'NaN', '[object Object]', '[]', '{}'],
  // Unicode.
  [
    '\u00e9',
    'e\u0301',
    'A\u030a',
    '\u00c5',
    '\u212b',
    '\ufb01',
    'fi',
    '\u0130',
    'i\u0307',
    '\u0131',
  ],
  [
    'a',
    'A',
    '\u00df',
    'ss',
    'SS',
    '\u1e9e',
    '\u03c3',
    '\u03c2',
    '\u{1f600}',
    '\u{1f468}\u200d\u{1f469}',
  ],
  ['\u202etxt.exe', '\u05d0\u05d1', '\u200b', '\ufeff', '\ufffd', '\uffff', '\u{10ffff}', '\u2028'],
  // Control characters and white space.
  ['\n', '\r\n', '\t', 'a\nb', '\u0001', '\u001b[31m', '\u007f', '\u0085', '\u00a0', '\u3000'],
  // Length: 1,024 UTF-8 bytes at most.
  ['x'.repeat(255), 'x'.repeat(256), 'x'.repeat(300), 'y'.repeat(1000), '/'.repeat(300)],
  ['\u{1f600}'.repeat(64), '\u{1f600}'.repeat(256), '\u4e2d'.repeat(300), '../'.repeat(100)],
].flat();
