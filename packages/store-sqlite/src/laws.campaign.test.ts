// `npm test` tries a part of these. Here they are tried whole.
import './repair-file.test.ts';
