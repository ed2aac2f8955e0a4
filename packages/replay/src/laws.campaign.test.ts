// `npm test` tries few of the random histories. Here all of them are tried.
import './policies/ctx.test.ts';
