// `npm test` tries few of the random histories and calls. Here all of them are tried.
import './checkpoint-laws.test.ts';
import './fit/fit-conversation.test.ts';
import './fit/native-laws.test.ts';
import './import/full-disk.test.ts';
import './purge/purge.test.ts';
import './refused-files.test.ts';
