// `npm test` tries few of the random values. Here all of them are tried.
import './encoding/encode-value.test.ts';
