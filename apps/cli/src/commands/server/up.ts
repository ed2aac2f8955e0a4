import { availableParallelism } from 'node:os';
import type { StoreUrl } from '@ctx/agent-adapter/store';
import { CtxError, isCtxError } from '@ctx/core';
import { createRedactor } from '@ctx/redact';
import { serve } from '@ctx/server';
import { tokenCounterFor } from '@ctx/tokens';
import type { WindowMode } from '@ctx/truncation';
import type { Command } from 'commander';
import { type CommandContext, type StoreFlags, untilStopped } from '../../command-context.ts';
import { ageOf, sizeOf } from '../../config/retention-config.ts';
import { callOf, followUp } from '../../follow-up.ts';
import { makeCommand, oneOf, wholeNumber, withStoreFlag } from '../../make-command.ts';
import { upstreamsOf, withUpstreamFlag } from '../../proxy/upstream-flag.ts';
import { type UpAnswer, upAnswerSchema } from '../../schemas/server.ts';
import { backendOf, withStore } from '../../store/open-store-url.ts';
import { hasFiles, storeLocationOf } from '../../store/store-location.ts';
import { keptKey } from '../../up/key-file.ts';

type ServeOptions = Parameters<typeof serve>[0];
type ServingServer = Awaited<ReturnType<typeof serve>>;

interface UpFlags extends StoreFlags {
  readonly host?: string;
  readonly name?: readonly string[];
  readonly port: number;
  readonly drain?: number;
  readonly maxAge?: string;
  readonly maxBytes?: string;
  /** commander makes `--no-auth` into false. */
  readonly auth: boolean;
  readonly demo?: boolean;
  readonly once?: boolean;
  readonly proxy?: boolean;
  readonly upstream?: readonly string[];
  readonly policy: WindowMode | 'watch';
  /** How this command was called: it finds that out itself, no flag says it. */
  readonly call: string;
}

const usualPort = 4777;

/** What outputs may stay, where a flag says so. */
function retentionOf({ maxAge, maxBytes }: UpFlags): Pick<ServeOptions, 'retention'> {
  if (maxAge === undefined && maxBytes === undefined) return {};
  const policy = {
    ...(maxAge === undefined ? {} : { maxAgeMs: ageOf(maxAge) }),
    ...(maxBytes === undefined ? {} : { maxTotalBytes: sizeOf(maxBytes) }),
  };
  return { retention: { policy } };
}

/** With so many processors one is free for a thread that writes, beside the server and its clients: with two little was gained. */
const processorsForWrites = 3;

async function startAt(url: StoreUrl, port: number, flags: UpFlags): Promise<ServingServer> {
  const { auth, host, drain, name, call: commandCall } = flags;
  return serve({
    backend: await backendOf(url, { writeThread: availableParallelism() >= processorsForWrites }),
    port,
    access: auth ? 'keys' : 'none',
    ...retentionOf(flags),
    ...(host === undefined ? {} : { host }),
    ...(name === undefined ? {} : { names: name }),
    ...(drain === undefined ? {} : { limits: { drainMs: drain } }),
    ...(flags.proxy === true
      ? { proxy: { upstreams: upstreamsOf(flags.upstream), policy: flags.policy } }
      : {}),
    tokenCounter: tokenCounterFor(),
    redactor: createRedactor(),
    ...(hasFiles(url) ? { storePath: url.path } : {}),
    ...(host === undefined ? { commandCall } : {}),
    ...(flags.store === undefined || host !== undefined ? {} : { commandStore: url.text }),
  });
}

/** Fails if a named port is taken; takes any free port if the default one is. */
async function start(url: StoreUrl, flags: UpFlags, isNamed: boolean): Promise<ServingServer> {
  try {
    return await startAt(url, flags.port, flags);
  } catch (error) {
    const isTaken = isCtxError(error, 'CTX_INVALID_INPUT') && error.message.includes('is taken');
    if (isNamed || !isTaken) throw error;
    return startAt(url, 0, flags);
  }
}

/** Says how commands see the store of the demo, and how the demo goes. */
async function tellOfDemo(context: CommandContext, url: StoreUrl, flags: UpFlags): Promise<void> {
  const where = flags.store === undefined ? [] : ['--store', url.text];
  const commandOf = (...words: string[]) => followUp(context.host, [...words, ...where]);
  await context.say(`Its sessions: ${commandOf('sessions')}`);
  await context.say(`Another key: ${commandOf('keys', 'create')}`);
  await context.say(`Without the demo: ${commandOf('purge', '--agent', 'demo-agent')}`);
}

/** The address to open, with the key in its fragment: that part reaches no log and no other server. */
async function tell(
  context: CommandContext,
  { server, url }: { readonly server: ServingServer; readonly url: StoreUrl },
  flags: UpFlags,
): Promise<void> {
  const { data: dataFolder } = await context.host.folders();
  const key = flags.auth
    ? await keptKey(server.stores.keys, { dataFolder, storeUrl: url.text })
    : undefined;
  const answer: UpAnswer = {
    url: server.url,
    port: server.port,
    store: url.text,
    ...(key === undefined ? {} : { keyFile: key.path }),
  };
  if (flags.json === true) return context.json(upAnswerSchema, answer);
  await context.print(`${server.url}/${key === undefined ? '' : `#key=${key.text}`}\n`);
  if (flags.port !== 0 && flags.port !== server.port) {
    await context.say(`The usual port ${String(flags.port)} is taken, so this is another one.`);
  }
  await context.say(`Serving ${url.text}. Stop with Ctrl-C.`);
  if (flags.proxy === true) {
    await context.say(`Agents send their requests to ${server.url}/t/<key>.`);
  }
  if (key !== undefined) await context.say(`The key is kept in ${key.path}.`);
  if (flags.demo === true) await tellOfDemo(context, url, flags);
}

/** Prints what policies cost, and lets the recorded agent work in a window of its own: every view of the page has something to show. */
async function playDemo(context: CommandContext, flags: UpFlags): Promise<void> {
  const { replayDemo } = await import('../window/replay.ts');
  await replayDemo(context);
  const { playDemoSession } = await import('../../up/demo-session.ts');
  const use = { create: true, isTold: false, tokenCounter: tokenCounterFor() };
  await withStore(context, { ...flags, use }, playDemoSession);
}

function checkFlags({ demo, once, json, proxy, upstream }: UpFlags): void {
  if (upstream !== undefined && proxy !== true) {
    throw new CtxError('CTX_USAGE', '--upstream goes with --proxy');
  }
  if (once === true && demo !== true) throw new CtxError('CTX_USAGE', '--once goes with --demo');
  if (demo === true && json === true) {
    throw new CtxError('CTX_USAGE', 'with --demo there is no --json; use ctx replay --demo --json');
  }
}

async function runUp(context: CommandContext, flags: UpFlags, isPortNamed: boolean): Promise<void> {
  checkFlags(flags);
  const { url } = await storeLocationOf(context.host, flags.store);
  if (flags.demo === true) await playDemo(context, flags);
  if (flags.once === true) return;
  const server = await start(url, { ...flags, call: callOf(context.host) }, isPortNamed);
  try {
    await tell(context, { server, url }, flags);
    await untilStopped(context);
  } finally {
    await server.stop();
  }
  await context.say(`Stopped; ${url.text} is closed.`);
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'up',
    summary: 'Serve the store over HTTP and WebSocket, to this machine by default, until Ctrl-C.',
    examples: [
      'ctx up',
      'ctx up --demo',
      'ctx up --port 0 --json',
      'ctx up --store memory: --no-auth',
      'ctx up --proxy --upstream anthropic=https://gateway.example',
      'ctx up --store postgres://ctx@db/ctx --host 0.0.0.0 --name ctx.example.org --drain 5000',
    ],
  })
    .option(
      '--port <number>',
      '0 picks a free port, and so does a taken default port',
      wholeNumber(0, 65_535),
      usualPort,
    )
    .option('--host <address>', 'listen to this address of the machine (default: 127.0.0.1)')
    .option(
      '--name <host>',
      'clients call the server by this name, or name:port; others are refused. Repeat for more',
      (name: string, before: readonly string[] | undefined) => [...(before ?? []), name],
    )
    .option(
      '--drain <ms>',
      'keep serving this long after SIGTERM while /readyz answers 503, for load balancers (default: 0)',
      wholeNumber(0, 3_600_000),
    )
    .option('--max-age <age>', 'delete older outputs of all tenants, once an hour: 12h, 90d, 8w')
    .option('--max-bytes <size>', 'delete the oldest outputs of a tenant beyond this size: 2GB')
    .option('--no-auth', 'ask for no key; whoever uses this machine may do everything')
    .option(
      '--proxy',
      'keep the requests of agents small that come to /t/<key>, with a key that may write',
    )
    .option(
      '--policy <name>',
      'with --proxy: default, thrifty, evidence, or watch: change nothing, only count',
      oneOf(['default', 'thrifty', 'evidence', 'watch']),
      'default',
    )
    .option('--demo', 'play the recorded session that comes with ctx into the store first')
    .option('--once', 'with --demo: end after its table');
  return withStoreFlag(withUpstreamFlag(command, 'with --proxy: ')).action((flags: UpFlags) =>
    runUp(context, flags, command.getOptionValueSource('port') !== 'default'),
  );
}
