// `npm test` tries few of the random histories. Here all of them are tried.
import './fit/fit-conversation.test.ts';
import './fit/native-laws.test.ts';
