import { automaticCompaction } from '@ctx/agent-adapter';
import { type ContentBlock, CtxError, type ToolResultBlock } from '@ctx/core';
import { outputText } from '@ctx/core/encoding';
import { explainRequest } from '@ctx/replay';
import { tokenCounterFor } from '@ctx/tokens';
import { type CachePrice, cachePrices } from '@ctx/truncation';
import { type Command, Option } from 'commander';
import type { CommandContext, StoreFlags } from '../../command-context.ts';
import { makeCommand, oneNamed, oneOf, wholeNumber, withStoreFlag } from '../../make-command.ts';
import { type WhyAnswer, whyAnswerSchema } from '../../schemas/window.ts';
import { footText, segmentText, whyText } from '../../why/render-why.ts';
import { type ExplainedRequest, whyAnswerOf, whyModes } from '../../why/why-answer.ts';
import { loadHistory, type WhyHistory } from '../../why/why-history.ts';

interface WhyFlags extends StoreFlags {
  readonly at?: number;
  readonly segment?: number;
  readonly original?: boolean;
  readonly left?: boolean;
  readonly policy: string;
  readonly window?: number;
  readonly price: CachePrice;
  readonly from: number;
  readonly limit: number;
}

/** What the tool returned: plain text, or blocks. */
function resultOf({ content }: ToolResultBlock): unknown {
  const [first] = content;
  if (first === undefined) return '';
  const isPlain = content.length === 1 && first.type === 'text' && first.extra === undefined;
  return isPlain ? first.text : content;
}

/** A block as it came: text as it is, all else as JSON. */
function originalText(block: ContentBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'tool_use') return outputText(block.input);
  return outputText(block.type === 'tool_result' ? resultOf(block) : block);
}

function noSegment({ segments }: ExplainedRequest): CtxError {
  const last = String(segments.length - 1);
  return new CtxError('CTX_INVALID_ADDRESS', `the request has segments 0 to ${last}`);
}

async function writeOriginal(
  context: CommandContext,
  explained: ExplainedRequest,
  number: number | undefined,
): Promise<void> {
  if (number === undefined) {
    throw new CtxError('CTX_USAGE', '--original needs --segment: one piece is written');
  }
  const found = explained.segments.find(({ reason }) => reason.segment === number);
  if (found === undefined) throw noSegment(explained);
  await context.print(originalText(found.block));
}

/** The page that was asked for: one segment, or a run of them. */
function pageOf(answer: WhyAnswer, flags: WhyFlags): WhyAnswer {
  const { segment, left, from, limit } = flags;
  if (segment !== undefined) {
    const only = answer.segments.filter((each) => each.segment === segment);
    return { ...answer, segments: only };
  }
  const isShown = ({ state }: { state: string }): boolean =>
    left !== true || (state !== 'in view' && state !== 'pinned');
  const listed = answer.segments.filter(
    (each) => isShown(each) && (each.segment === undefined ? from === 0 : each.segment >= from),
  );
  const next = listed[limit]?.segment;
  const segments = listed.slice(0, limit);
  return { ...answer, segments, ...(next === undefined ? {} : { next }) };
}

/** The request that was asked for. */
async function explainedOf(history: WhyHistory, flags: WhyFlags): Promise<ExplainedRequest> {
  const { at, policy, window = history.windowTokens ?? 200_000, price } = flags;
  if (history.stored !== undefined) return history.stored;
  return explainRequest(history, {
    ...(at === undefined ? {} : { request: at }),
    mode: whyModes[policy] ?? 'default',
    windowTokens: window,
    price,
    compactWindow: automaticCompaction,
    countTokens: tokenCounterFor(),
  });
}

async function runWhy(context: CommandContext, name: string, flags: WhyFlags): Promise<void> {
  context.host.endAtOnce();
  const history = await loadHistory(context, name, flags);
  const { policy, segment } = flags;
  const explained = await explainedOf(history, flags);
  if (flags.original === true) {
    await writeOriginal(context, explained, segment);
    return;
  }
  const { host } = context;
  const shownPolicy = history.stored === undefined ? policy : 'as it was kept';
  const source = { host, name, history, policy: shownPolicy };
  const answer = pageOf(whyAnswerOf(explained, source), flags);
  const [first] = answer.segments;
  if (segment !== undefined && first === undefined) throw noSegment(explained);
  if (flags.json === true) await context.json(whyAnswerSchema, answer);
  else if (segment !== undefined && first !== undefined) {
    await context.print(segmentText(first));
  } else {
    await context.draw(whyText(context, answer));
    const foot = footText(answer);
    if (foot !== undefined) await context.say(foot);
    if (history.isWatched === true) await context.say('Only watched: ctx would have sent this.');
  }
}

const parsePrice = oneNamed(cachePrices);

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'why',
    summary:
      'Explain why each part of a request is or is not in the window, and how to get it back.',
    examples: [
      'ctx why session.jsonl --window 128000',
      'ctx why <session> --at 40 --left',
      'ctx why <session> --segment 12',
      'ctx why session.jsonl --segment 12 --original',
    ],
  })
    .argument('<transcript or session>', 'a file, or the id of a session in the store')
    .option('--at <number>', 'number of the request, from 1 (default: the last)', wholeNumber(1))
    .option('--segment <number>', 'only this segment', wholeNumber(0))
    .option('--original', 'write the segment as it arrived, byte for byte')
    .option('--left', 'only what is not in view as it arrived')
    .option(
      '--policy <name>',
      Object.keys(whyModes).join(', '),
      oneOf(Object.keys(whyModes)),
      'ctx',
    )
    .option('--window <tokens>', "the model's window (default: as in status)", wholeNumber(1000))
    .addOption(
      new Option(
        '--price <name>',
        `what caching costs: ${cachePrices.map(({ name }) => name).join(', ')}`,
      )
        .argParser(parsePrice)
        .default(parsePrice('anthropic-5m'), '"anthropic-5m"'),
    )
    .option('--from <number>', 'first segment, from 0', wholeNumber(0), 0)
    .option('--limit <count>', 'segments to show, up to 10000', wholeNumber(1, 10_000), 50);
  return withStoreFlag(command).action((name: string, flags: WhyFlags) =>
    runWhy(context, name, flags),
  );
}
