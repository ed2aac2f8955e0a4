import { afterAll, beforeAll, describe } from 'vitest';
import { analysisTests } from './analysis-tests.ts';
import { changeTests } from './change-tests.ts';
import { changesTests } from './changes-tests.ts';
import { conversationTests } from './conversation-tests.ts';
import { hostileTests } from './hostile-tests.ts';
import { importTests } from './import-tests.ts';
import { keyboardTests } from './keyboard-tests.ts';
import { everyViewTests } from './limits/every-view-tests.ts';
import { limitTests } from './limits/limit-tests.ts';
import { liveTests } from './live-tests.ts';
import { memoryTests } from './memory-tests.ts';
import { phoneTests } from './phone-tests.ts';
import { proxiedTests } from './proxied/proxied-tests.ts';
import { shareTests } from './share-tests.ts';
import { sizeTests } from './size-tests.ts';
import { chromiumPath } from './test-support/chromium.ts';
import { makeWorld, type World } from './test-support/world.ts';
import { refusedRestoreTests, restoreTests, stepTests, textTests } from './text-tests.ts';
import { viewTests } from './view-tests.ts';
import { whatIfTests } from './what-if-tests.ts';

if (chromiumPath === undefined) {
  console.log('no chromium on this machine (apt-get install chromium): the page is not tested');
}

/** One server and one browser for all: they take longer to start than most tests to run. */
describe.skipIf(chromiumPath === undefined)('the dashboard in a browser', () => {
  let made: World | undefined;
  const world = (): World => {
    if (made === undefined) throw new TypeError('there is no browser');
    return made;
  };
  beforeAll(async () => {
    made = await makeWorld();
  }, 240_000);
  afterAll(() => made?.close(), 30_000);

  describe('its views', () => {
    everyViewTests(world);
    viewTests(world);
  });
  describe('a phone', () => {
    phoneTests(world);
  });
  describe('the keyboard alone', () => {
    keyboardTests(world);
  });
  describe('what comes in', () => {
    liveTests(world);
  });
  describe('what is known and what is proxied', () => {
    memoryTests(world);
    proxiedTests(world);
  });
  describe('what is imported', () => {
    importTests(world);
  });
  describe('texts', () => {
    textTests(world);
    restoreTests(world);
  });
  describe('steps', () => {
    stepTests(world);
  });
  describe('the conversation', () => {
    conversationTests(world);
  });
  describe('what a request changes', () => {
    changesTests(world);
  });
  describe('the analysis', () => {
    analysisTests(world);
  });
  describe('what if', () => {
    whatIfTests(world);
  });
  describe('what is passed on', () => {
    shareTests(world);
  });
  describe('what others wrote', () => {
    hostileTests(world);
  });
  describe('changes', () => {
    changeTests(world);
  });
  describe('sizes', () => {
    sizeTests(world);
  });
  describe('a large store', () => {
    limitTests(world);
  });
  // Last, since its session is larger than the views before are measured with.
  describe('what is too large', () => {
    refusedRestoreTests(world);
  });
});
