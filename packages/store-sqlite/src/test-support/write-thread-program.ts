import { pathToFileURL } from 'node:url';
import { bundleChild } from './run-child.ts';

/** The program of a thread that writes, as plain node runs it. */
export async function writeThreadProgram(): Promise<URL> {
  return pathToFileURL(await bundleChild('run-write-thread'));
}
