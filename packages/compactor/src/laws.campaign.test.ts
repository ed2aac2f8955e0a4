// `npm test` tries few of the random histories. Here all of them are tried.
import './compact/compact.test.ts';
import './extractive/extract-summary.test.ts';
import './ledger/build-ledger.test.ts';
import './session/any-session.test.ts';
import './session/compact-session.test.ts';
import './verify/verify-compaction.test.ts';
