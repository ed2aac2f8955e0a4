/* The door of `npm start`, `npm test`, `npm run ctx` and `npm run check`. It is written in old JavaScript, so that an
   old Node reads it and says one clear line instead of a syntax error. Everything else is in run.mjs. */
/* eslint no-var: "off" */
'use strict';
var wanted = /(\d+)\.(\d+)/.exec(require('../package.json').engines.node);
var have = process.versions.node.split('.');

if (have[0] * 1000 + Number(have[1]) >= wanted[1] * 1000 + Number(wanted[2])) {
  require('./run-modern.cjs');
} else {
  var need = 'ctx needs Node.js ' + wanted[0] + ' or newer, this is ' + process.versions.node;
  var fix = ': install a newer one (https://nodejs.org) and run the command again.\n';
  process.stderr.write(need + fix);
  process.exitCode = 1;
}
