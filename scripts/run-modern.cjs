/* Loaded only after the version check: an old Node cannot even parse `import()`. */
'use strict';
import('./run.mjs').then(({ main }) => main(process.argv.slice(2)));
