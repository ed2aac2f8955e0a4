// `npm test` tries few of the random values. Here all of them are tried.
import './encoding/count-slices.test.ts';
