// `npm test` tries few of the random values. Here all of them are tried.
import './checkpoints/working/working-lists.test.ts';
import './diff/diff-since.test.ts';
import './items/tiers/tier-bounds.test.ts';
import './outputs/output-words.test.ts';
import './outputs/save-outputs.test.ts';
