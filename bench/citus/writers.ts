import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildServer } from '../server/child-server.ts';

/** Who writes what, and to whom. Servers may be replaced while it runs. */
export interface WriteLoad {
  readonly servers: readonly ChildServer[];
  /** Of each writer: one of a tenant. */
  readonly keys: readonly string[];
}

/** What became of the writes. */
export interface Written {
  /** What was acknowledged, by writer. */
  readonly acknowledged: readonly Set<string>[];
  /** Requests that had another answer, by what was said; each was sent again until it was acknowledged. */
  readonly refused: Map<string, number>;
  /** Ends the writers behind their last acknowledged write. */
  readonly end: () => Promise<void>;
}

/** A write that is never acknowledged ends the run. */
const mostTries = 3000;

function agentOf(writer: number): string {
  return `writer-${String(writer)}`;
}

function codeOf(body: string): string {
  return /CTX_[A-Z_]+/.exec(body)?.[0] ?? body.slice(0, 80);
}

/** What an answer says that is no acknowledgement; `undefined` for one. */
async function send(url: string, request: RequestInit): Promise<string | undefined> {
  try {
    const response = await fetch(url, request);
    const body = await response.text();
    return response.ok ? undefined : `${String(response.status)} ${codeOf(body)}`;
  } catch {
    return 'no answer';
  }
}

/** Starts one writer for each key. Each sends a write again, to the next server and under the same name, until it is acknowledged. */
export function startWriters({ servers, keys }: WriteLoad): Written {
  const refused = new Map<string, number>();
  const acknowledged = keys.map(() => new Set<string>());
  let isOver = false;
  const writeOne = async (writer: number, key: string, count: number): Promise<void> => {
    const content = `write ${String(count)} of ${agentOf(writer)}`;
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': content.replaceAll(' ', '-'),
    };
    const request = { method: 'POST', headers, body: JSON.stringify({ kind: 'NOTE', content }) };
    for (let tries = 0; tries < mostTries; tries += 1) {
      const server = servers[(writer + count + tries) % servers.length];
      if (server === undefined) break;
      const said = await send(`${server.url}/v1/agents/${agentOf(writer)}/items`, request);
      if (said === undefined) {
        acknowledged[writer]?.add(content);
        return;
      }
      refused.set(said, (refused.get(said) ?? 0) + 1);
      await sleep(50);
    }
    throw new Error(`${content} was never acknowledged`);
  };
  const running = keys.map(async (key, writer) => {
    for (let count = 0; !isOver; count += 1) await writeOne(writer, key, count);
  });
  const end = async (): Promise<void> => {
    isOver = true;
    await Promise.all(running);
  };
  return { acknowledged, refused, end };
}

async function contentsOf({ url }: ChildServer, key: string, agent: string): Promise<string[]> {
  const contents: string[] = [];
  for (let cursor = ''; ; ) {
    const more = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const response = await fetch(`${url}/v1/agents/${agent}/items?limit=200${more}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    if (!response.ok) throw new Error(`a list was refused: ${await response.text()}`);
    const page = (await response.json()) as {
      readonly items: readonly { readonly content: string }[];
      readonly next?: string;
    };
    contents.push(...page.items.map(({ content }) => content));
    if (page.next === undefined) return contents;
    cursor = page.next;
  }
}

/** What one server has of what was acknowledged. */
export interface Found {
  readonly lost: number;
  readonly doubled: number;
}

/** Counts what is lost and what is there twice, at the server that has the most of it. */
export async function lookFor({ servers, keys }: WriteLoad, written: Written): Promise<Found> {
  let [lost, doubled] = [0, 0];
  for (const server of servers) {
    let [lostHere, doubledHere] = [0, 0];
    for (const [writer, key] of keys.entries()) {
      const contents = await contentsOf(server, key, agentOf(writer));
      const found = new Set(contents);
      const wanted = written.acknowledged[writer] ?? new Set<string>();
      lostHere += [...wanted].filter((content) => !found.has(content)).length;
      doubledHere += contents.length - found.size;
    }
    lost = Math.max(lost, lostHere);
    doubled = Math.max(doubled, doubledHere);
  }
  return { lost, doubled };
}
