// `npm test` tries a part of these. Here they are tried whole.
import './compact/compact.test.ts';
import './extractive/extract-summary.test.ts';
import './extractive/reading-check.test.ts';
import './ledger/build-ledger.test.ts';
import './session/any-session.test.ts';
import './session/compact-session.test.ts';
import './verify/verify-compaction.test.ts';
