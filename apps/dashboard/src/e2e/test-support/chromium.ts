import { existsSync } from 'node:fs';

/** Where Debian and others put it. */
const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser of this machine; `undefined` where there is none: then what needs it is skipped, and says so. */
export const chromiumPath: string | undefined = [
  process.env['CHROMIUM_PATH'] ?? '',
  ...places,
].find((path) => path !== '' && existsSync(path));
