/** The lines that begin and end what Aider, Cline and Roo search for. */
const searchStart = /^[<-]{5,9} SEARCH/;
const searchEnd = /^={5,9}$/;

/** What Roo says between them about the place. */
const placeLine = /^(?::(?:start|end)_line: ?\d+|-{7})\s*$/;

/** The texts to be replaced in SEARCH and REPLACE blocks, of a tool's input or in what a model says. Makes one pass over the lines. */
export function searchBlocks(text: string): string[] {
  const found: string[] = [];
  let open: string[] | undefined;
  for (const line of text.split('\n')) {
    if (open === undefined) {
      if (searchStart.test(line)) open = [];
    } else if (searchEnd.test(line)) {
      found.push(open.join('\n'));
      open = undefined;
    } else if (open.length > 0 || !placeLine.test(line)) open.push(line);
  }
  return found;
}
