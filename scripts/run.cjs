/* The door of `npm start`, `npm test`, `npm run ctx` and `npm run check`. It is written in old JavaScript, so that an
   old Node reads it and says one clear line instead of a syntax error. Everything else is in run.mjs. */
/* eslint no-var: "off" */
'use strict';
var engines = require('../package.json').engines.node;
var wanted = /(\d+)\.(\d+)/.exec(engines);
var have = /^(\d+)\.(\d+)/.exec(process.versions.node);
var major = Number(have[1]) - Number(wanted[1]);
var minor = Number(have[2]) - Number(wanted[2]);

if (major < 0 || (major === 0 && minor < 0)) {
  process.stderr.write(
    'ctx needs Node.js ' +
      wanted[0] +
      ' or newer, this is ' +
      process.versions.node +
      ': install a newer one (https://nodejs.org) and run the command again.\n',
  );
  process.exitCode = 1;
} else {
  require('./run-modern.cjs');
}
