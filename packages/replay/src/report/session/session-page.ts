import { countedText, countText, timeText } from '@ctx/core/encoding';
import { type Html, html } from '../html.ts';
import {
  maxPageBytes,
  type PageText,
  planSessionPage,
  type SessionPagePlan,
  type SharedPiece,
  type SharedRequest,
  type SharedSession,
} from './plan-session-page.ts';
import { requestChart } from './request-chart.ts';
import { sessionStyle } from './session-style.ts';

const modeNames: Readonly<Record<string, string>> = {
  recorded: 'as its own agent sent it',
  sent: 'as ctx sent it',
  default: 'in the default mode of ctx',
  thrifty: 'in the thrifty mode of ctx',
  evidence: 'in the evidence mode of ctx',
};

const kindNames: Readonly<Record<SharedPiece['kind'], string>> = {
  user: 'user',
  assistant: 'assistant',
  call: 'tool calls',
  result: 'tool results',
  other: 'images, thinking and others',
};

function isAnswer({ kind, what }: SharedPiece): boolean {
  return kind === 'assistant' || kind === 'call' || what === 'thinking';
}

/** Whose message a piece begins. */
function speaker(piece: SharedPiece): string {
  if (isAnswer(piece)) return 'Assistant';
  return piece.kind === 'result' ? 'Tools' : 'User';
}

function textBlock({ text, leftCharacters }: PageText, { pointer }: SharedPiece): Html {
  const left =
    leftCharacters === 0
      ? ''
      : html`<p class="left">${countedText(leftCharacters, 'more character')}, not on this page: ${pointer}</p>`;
  return html`<pre>${text}</pre>${left}`;
}

function outOf({ why, instead, tokensBefore, tokensAfter }: SharedPiece): Html | string {
  if (instead === undefined) return '';
  const stands = instead === '' ? 'Nothing replaces it.' : `In its place: ${firstLine(instead)}`;
  return html`<p class="left">${why}. In the window: ${countText(tokensAfter)} tokens instead of ${countText(tokensBefore)}. ${stands}</p>`;
}

/** The first line that says something, up to 200 characters. */
function firstLine(text: string): string {
  const line = text.split('\n').find((each) => each.trim() !== '') ?? '';
  return line.length > 200 ? `${line.slice(0, 200)} …` : line;
}

/** The arguments of a call in one line, without the name of the tool before them. */
function argumentsLine(text: string, toolName: string): string {
  const given = text.startsWith(`${toolName} `) ? text.slice(toolName.length) : text;
  return firstLine(given.slice(0, 1000).replaceAll(/\s+/g, ' ').trim());
}

function pieceOf(piece: SharedPiece, text: PageText): Html {
  const { kind, toolName = '', what = 'other', tokensBefore, instead } = piece;
  const out = instead === undefined ? '' : 'out';
  if (kind === 'user' || kind === 'assistant') {
    return html`<div class="${out}">${textBlock(text, piece)}${outOf(piece)}</div>`;
  }
  const verbs: Readonly<Record<string, string>> = { call: 'calls', result: 'returned by' };
  const begins = kind === 'call' ? argumentsLine(text.text, toolName) : firstLine(text.text);
  return html`<div class="${out}"><details class="${kind}"><summary><span class="soft">${verbs[kind] ?? what}</span> <strong>${toolName}</strong> ${begins} <span class="soft">${countText(tokensBefore)} tokens</span></summary>${textBlock(text, piece)}</details>${outOf(piece)}</div>`;
}

function conversation({ shown }: SessionPagePlan): Html[] {
  return shown.map(({ piece, text }, index) => {
    const isFirst = shown[index - 1]?.piece.message !== piece.message;
    const head = isFirst ? html`<h3>${speaker(piece)}</h3>` : '';
    return html`${head}${pieceOf(piece, text)}`;
  });
}

function kindsTable(pieces: readonly SharedPiece[]): Html {
  const kinds = Object.keys(kindNames) as SharedPiece['kind'][];
  const rows = kinds.flatMap((kind) => {
    const found = pieces.filter((piece) => piece.kind === kind);
    if (found.length === 0) return [];
    const before = found.reduce((sum, { tokensBefore }) => sum + tokensBefore, 0);
    const after = found.reduce((sum, { tokensAfter }) => sum + tokensAfter, 0);
    const cells = [found.length, before, after].map((value) => html`<td>${countText(value)}</td>`);
    return [html`<tr><th scope="row">${kindNames[kind]}</th>${cells}</tr>`];
  });
  return html`<div class="wide" tabindex="0"><table><caption>Tokens of the log, as received and as shown in the window. System prompt and tools are not in the log.</caption>
<thead><tr><th scope="col">Kind</th><th scope="col">Pieces</th><th scope="col">Received</th><th scope="col">In the window</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function requestRow({
  number,
  tokens,
  limitTokens,
  cachedTokens,
  event,
  cause,
}: SharedRequest): Html {
  const cells = [tokens, limitTokens, cachedTokens].map(
    (value) => html`<td>${countText(value)}</td>`,
  );
  return html`<tr><th scope="row">${number}</th>${cells}<td>${event ?? ''}</td><td>${cause ?? ''}</td></tr>`;
}

function requestsPart({ requests }: SharedSession): Html | string {
  if (requests.length === 0) return '';
  return html`<h2>Requests</h2>${requestChart(requests)}
<details><summary>The requests as a table</summary><div class="wide" tabindex="0"><table>
<thead><tr>${['Request', 'Tokens', 'Limit', 'From cache', 'Event', 'Cause'].map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${requests.map(requestRow)}</tbody></table></div></details>`;
}

/** What the page leaves out, and what was taken out before; '' where that is nothing. */
function limits({ leftPieces, cutTexts }: SessionPagePlan, { redacted }: SharedSession): Html {
  const said = [
    ...(leftPieces === 0
      ? []
      : [`${countedText(leftPieces, 'older piece')} left out: the page holds at most 5 MB.`]),
    ...(cutTexts === 0
      ? []
      : [`${countedText(cutTexts, 'long text')} cut, each marked where it ends.`]),
    redacted === 0
      ? 'No secrets of a known form are left. Others are not detected: read the page before you share it.'
      : `${countedText(redacted, 'secret')} redacted. Secrets of an unknown form are not detected: read the page before you share it.`,
  ];
  return html`<p class="lead">${said.join(' ')}</p>`;
}

function lead({
  id,
  request,
  mode,
  windowTokens,
  requests,
  pieces,
  madeAt,
}: SharedSession): string {
  const what =
    request === undefined
      ? `${countedText(requests.length, 'request')}, ${countedText(pieces.length, 'piece')}`
      : `Request ${countText(request)}, ${countedText(pieces.length, 'piece')}`;
  const how = modeNames[mode] ?? mode;
  return `Session ${id}. ${what}; window ${countText(windowTokens)} tokens, ${how}. Made by ctx, ${timeText(madeAt)}.`;
}

/**
 * One session, or one request of it, as a page of its own: what was said, the calls with their results folded, what is no longer in
 * the window with the reason, and the size of each request.
 * Pure; loads nothing, runs nothing; everything that comes from the session is escaped. At most `maxBytes`, by default 5 MB; what is
 * cut or left out is said where it is missing. Takes out no secret: redact before.
 */
export function sessionPage(session: SharedSession, maxBytes: number = maxPageBytes): string {
  const plan = planSessionPage(session, maxBytes);
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  const isEmpty = plan.shown.length === 0;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${session.title}</title>
<style>${{ markup: sessionStyle }}</style>
</head>
<body>
<main>
<h1>${session.title}</h1>
<p class="lead">${lead(session)}</p>
${limits(plan, session)}
<h2>${session.request === undefined ? 'The window as it stands' : 'The window'}</h2>
${kindsTable(session.pieces)}
${requestsPart(session)}
<h2>Conversation</h2>
<p class="lead">Grey: shortened in the window, or removed from it.</p>
${isEmpty ? html`<p>There are no messages.</p>` : conversation(plan)}
</main>
</body>
</html>
`.markup;
}
