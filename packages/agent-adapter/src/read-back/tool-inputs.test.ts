import { expect, test } from 'vitest';
import * as z from 'zod';
import { recallSchema, rememberSchema } from '../context-manager/memory/memory-tools.ts';
import { readOutputSchema, searchOutputsSchema } from './read-back-schemas.ts';
import {
  noInput,
  readOutputInput,
  recallInput,
  rememberInput,
  searchOutputsInput,
} from './tool-inputs.ts';

test.each([
  ['read', readOutputInput, readOutputSchema],
  ['search', searchOutputsInput, searchOutputsSchema],
  ['remember', rememberInput, rememberSchema],
  ['recall', recallInput, recallSchema],
  ['nothing', noInput, z.strictObject({})],
])(
  'what a model is told of the arguments is what they are checked by: %s',
  (_name, told, schema) => {
    expect(told).toEqual(z.toJSONSchema(schema, { io: 'input' }));
  },
);
