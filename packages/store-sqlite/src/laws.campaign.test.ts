// `npm test` tries a part of these. Here they are tried whole.
import './conformance.test.ts';
import './repair-file.test.ts';
