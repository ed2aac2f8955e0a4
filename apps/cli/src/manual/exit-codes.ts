/** How every command ends. The one table: the help, the documents and the test of all commands read it. */
export const exitCodes: readonly (readonly [code: number, meaning: string])[] = [
  [0, 'it worked'],
  [1, 'it failed, or a check found something: the disk, a damaged store, a difference'],
  [2, 'the call was not understood: an unknown command or flag, a missing or wrong value'],
  [3, 'there is no such store, session, output, item, checkpoint, file or setting'],
  [4, 'changed meanwhile, or the store is locked by another process'],
  [5, 'not allowed: the store cannot be written, or a question was not answered'],
  [130, 'stopped by Ctrl-C; nothing was left half done'],
];

/** The same in one line, for the help. */
export const shortExitCodes: string =
  '0 ok, 1 failure, 2 usage, 3 not found, 4 conflict, 5 not allowed, 130 stopped by Ctrl-C.';
