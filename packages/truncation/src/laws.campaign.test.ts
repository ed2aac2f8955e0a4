// `npm test` tries few of the random histories. Here all of them are tried.
import './classic/random-histories.test.ts';
import './compress/compress-laws.test.ts';
import './fit/fit-messages.test.ts';
import './window-session/session-laws.test.ts';
import './window/leave/finished-thinking.test.ts';
import './window/window-laws.test.ts';
