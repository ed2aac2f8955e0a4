// `npm test` tries few of the random histories. Here all of them are tried.
import './policies/compact-at-limit.test.ts';
import './policies/ctx.test.ts';
import './policies/offline-optimum.test.ts';
import './replay.test.ts';
