// `npm test` tries few of the random histories. Here all of them are tried.
import './session/any-session.test.ts';
import './session/compact-session.test.ts';
