// `npm test` tries few of the random values. Here all of them are tried.
import './score/score-contents.test.ts';
