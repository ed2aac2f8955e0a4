import { childBackend } from './child-backend.ts';
import { papers, putPaper } from './records.ts';

/** Writes papers, each in two parts in one write, and prints the number of each one that was acknowledged. */
const [path = '', start = '0'] = process.argv.slice(2);
const backend = childBackend(path);
await backend.open([papers]);
for (let number = Number(start); ; number++) {
  const body = JSON.stringify({ number, text: 'x'.repeat(200_000) });
  const words = { text: `word${number} shared` };
  await backend.write([
    putPaper(`${number}`, { body, words, columns: { rank: number, pages: 1 } }),
    putPaper(`${number}-pair`, { body: `{"pair":${number}}`, columns: { rank: number, pages: 1 } }),
  ]);
  process.stdout.write(`${number}\n`);
}
