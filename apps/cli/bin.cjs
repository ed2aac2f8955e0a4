#!/usr/bin/env node
// Stands in the checkout, so that an install can link the command before the first build.
require('./dist/bin.cjs');
