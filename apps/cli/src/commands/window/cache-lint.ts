import { relative } from 'node:path';
import { CtxError } from '@ctx/core';
import { isRecord } from '@ctx/core/encoding';
import { tokenCounterFor } from '@ctx/tokens';
import { findFiles } from '@ctx/transcripts/import';
import { type CachePrice, cachePrices, createCacheLinter } from '@ctx/truncation';
import { type Command, InvalidArgumentError } from 'commander';
import { readRequestLog } from '@ctx/replay';
import { cacheLintText } from '../../cache-lint/render-cache-lint.ts';
import { type CommandContext, checkNotStopped } from '../../command-context.ts';
import { followUp } from '../../follow-up.ts';
import { makeCommand, oneNamed } from '../../make-command.ts';
import {
  type CacheLintAnswer,
  type CacheLintRequest,
  cacheLintAnswerSchema,
} from '../../schemas/measure.ts';
import { startProgress } from '../../terminal/progress.ts';

interface CacheLintFlags {
  readonly json?: boolean;
  readonly price?: CachePrice;
  /** Share of the input's cost, 0…1. */
  readonly maxWaste?: number;
}

/** Where each request was read. */
interface RequestPlace {
  readonly file: string;
  readonly line?: number;
}

type CacheLint = ReturnType<ReturnType<typeof createCacheLinter>['result']>;

interface ReadLog {
  readonly lint: CacheLint;
  readonly places: readonly RequestPlace[];
  readonly hasTimes: boolean;
}

function parseShare(text: string): number {
  const percent = Number(text.endsWith('%') ? text.slice(0, -1) : text);
  if (text.trim() !== '' && percent >= 0 && percent <= 100) return percent / 100;
  throw new InvalidArgumentError('It must be a share in percent, 0…100.');
}

/** Most often a transcript was named: it holds what was said, not what was sent. */
function noRequest(
  { host }: CommandContext,
  { name, line }: { readonly name: string; readonly line: number | undefined },
): CtxError {
  const place = line === undefined ? name : `${name}:${String(line)}`;
  const replay = followUp(host, ['replay', name, '--requests-out', 'requests']);
  return new CtxError(
    'CTX_USAGE',
    `${place} is no request: a request is a JSON object with messages, input or contents. Of a transcript, \`${replay}\` makes requests`,
  );
}

async function readLog(
  context: CommandContext,
  names: readonly string[],
  { price }: CacheLintFlags,
): Promise<ReadLog> {
  const linter = createCacheLinter({
    countTokens: tokenCounterFor(),
    ...(price === undefined ? {} : { price }),
  });
  const places: RequestPlace[] = [];
  let hasTimes = false;
  const progress = startProgress(context);
  try {
    for (const { path } of await findFiles(names, context.host.cwd)) {
      const file = relative(context.host.cwd, path);
      await readRequestLog(path, file, ({ line, ...request }) => {
        checkNotStopped(context, 'reading requests');
        if (!isRecord(request.body)) throw noRequest(context, { name: file, line });
        progress.show(`reading ${file}: request ${String(places.length + 1)}`);
        linter.add(request);
        hasTimes ||= request.time !== undefined;
        places.push(line === undefined ? { file } : { file, line });
      });
    }
  } finally {
    progress.clear();
  }
  return { lint: linter.result(), places, hasTimes };
}

function requestOf(
  {
    index,
    lane,
    inputTokens,
    hitTokens,
    follows,
    isPartial,
    findings,
  }: CacheLint['requests'][number],
  places: readonly RequestPlace[],
): CacheLintRequest {
  return {
    ...(places[index] ?? { file: '' }),
    lane,
    inputTokens,
    hitTokens,
    ...(follows === undefined ? {} : { follows }),
    ...(isPartial === true ? { isPartial } : {}),
    findings: findings.map(({ change, ...finding }) => ({ ...finding, ...change })),
  };
}

function answerOf({ lint, places, hasTimes }: ReadLog, flags: CacheLintFlags): CacheLintAnswer {
  const { requests, ...totals } = lint;
  return {
    price: flags.price?.name ?? 'by format',
    hasTimes,
    ...totals,
    isWithinLimit: lint.wasteShare <= (flags.maxWaste ?? 1),
    requests: requests.map((request) => requestOf(request, places)),
  };
}

async function runCacheLint(
  context: CommandContext,
  names: readonly string[],
  flags: CacheLintFlags,
): Promise<void> {
  const log = await readLog(context, names, flags);
  if (log.places.length === 0) {
    throw new CtxError('CTX_USAGE', `no requests in ${names.join(', ')}`);
  }
  const answer = answerOf(log, flags);
  if (flags.json === true) await context.json(cacheLintAnswerSchema, answer);
  else await context.draw(cacheLintText(context, answer));
  if (answer.isWithinLimit) return;
  const [share, limit] = [answer.wasteShare, flags.maxWaste ?? 1].map((each) =>
    (100 * each).toFixed(1),
  );
  await context.say(`Waste of ${share ?? ''} % is over the limit of ${limit ?? ''} %.`);
  context.finish(1);
}

export function command(context: CommandContext): Command {
  return makeCommand({
    name: 'cache-lint',
    summary:
      'Find where logged requests missed the prompt cache, why, what that cost, and what to do. Reads bodies of Anthropic Messages, OpenAI Chat and Responses, and Gemini.',
    examples: [
      'ctx cache-lint requests.jsonl',
      'ctx cache-lint before.json after.json',
      'ctx cache-lint requests/*.jsonl --max-waste 5 --json',
    ],
  })
    .argument('<files...>', 'JSONL with a request a line, or JSON documents, in send order')
    .option(
      '--price <name>',
      `one of ${cachePrices.map(({ name }) => name).join(', ')} (default: anthropic-5m, openai or gemini, by the format)`,
      oneNamed(cachePrices),
    )
    .option(
      '--max-waste <percent>',
      'exit with 1 if more of the input’s cost than this is waste',
      parseShare,
    )
    .action((names: string[], flags: CacheLintFlags) => runCacheLint(context, names, flags));
}
