import { isInstead, isOfMoment, tellsOnly } from './said-once.ts';

/** What may stand before an order. */
const lead =
  "^(?:(?:please|and|but|so|also|ok|okay|no|nope|yes|well|hey|hi|important|note|rule|remember|actually|just|then|now|thus|here|instead|as a rule|from now on|going forward|generally|try to|be sure to|you|we|let's|whoever|to|(?:i|we)(?:'d| would)? (?:also |just )?(?:want|like|need) (?:you )?to|(?:can|could|would|will) (?:you|we)|that you|in the future|in (?!the )\\w{1,20}|for \\w{1,20})[,:]? )*";

/** Orders, prohibitions and wishes. */
const [orders, limits, demands, wishes, habit] = [
  new RegExp(
    `${lead}(?:(?:do not|don't) (?!(?:you|know|think|get it|see|mind|care|understand|remember|believe|feel|need|have to)\\b)[a-z]|(?:always|never) (?!(?:mind|the|and|or|on|in|my|your|seen|been|heard|had|thought|known|done|gone|again|ever|nice|good|great|happy|glad|fun|late|early|easy|hard|possible|worth|enough|sure|true|mine|there|here|too|something|someone|an?|(?!(?:need|feed|seed|embed|proceed|succeed|exceed|speed)\\b)[a-z]{1,20}ed)\\b)[a-z]|only (?!(?:just|a|two|a few|\\d{1,3}) |have\\b|had\\b|saw\\b|see\\b|got\\b|need\\b)\\S|prefer |avoid |make sure |ensure |keep (?!(?:going|on)\\b)|remember |stop [a-z]{1,20}ing \\S)`,
    'i',
  ),
  /(?:^|\s)(?:without|instead of|at least|at most|no more than|make sure|ensure)\s/i,
  /\b(?:must|should|shouldn't|may only|can only|no longer (?:need|have) to|from now on|going forward)\b|\b(?:is|are|be) (?:not allowed|required)\b/i,
  /\bi(?:'d| would)? (?:really |strongly |much )?prefer\b|\bi (?:really |actually |just )?(?:don't|do not) want\b|\b(?:like|want|need|hoping|trying|have|has|helps?|you|it|and) to (?:also |only )?(?:keep|avoid|ensure|make sure|never|always)\b|\bi only (?:want|need|use|accept|allow)\b|\bwe (?:only|never|always|don't) (?:use|want|allow|commit|push|merge|support|accept)\b/i,
  /^(?:please |also |and )*(?:(?:every|each|all) [\w-]{1,30}(?: [\w-]{1,30})? needs? (?!to\b|an? (?:fix|change|update|review|look)\b)|(?:run|ask|check|build|lint|format|test|tell|show|bump|rebase|review|verify)\b.{1,80} (?:before|after) (?:every|each|any) )/i,
];

/** How a clause begins that tells what was or is. */
const tells =
  /^(?:(?:and|but|so|well|because|since|now|then),? )*(?:i|it|that|this|these|those|he|she|they|there|something|nothing|everything|nobody)(?:'s|'re|'m|'ve|'ll)?\b(?!'d| would (?:like|want|prefer|rather)| want| need| like| prefer)/i;

/** A question, but for one that is a request; a line that Git or Aider prints of a commit; leave to go on. */
const setsNoRule =
  /^(?!(?:and |but |so |ok,? |also |please )*(?:can|could|would|will|let's|please|why don't|how about)\b).*\?\W{0,3}$|^(?:Commit|Removed:|Now at:) [0-9a-f]{7,40} |^(?:(?:yes|ok|please)[,.]? )*keep (?:going|on)\b/i;

/** A question without its mark. */
const asks =
  /^(?:(?:and|but|so|ok),? )*(?:why (?!don't|not)|(?:what|how|where|who|should) (?:should|do|does|is|are|was|i|we)\b)/i;

/** Matches a guess, such as "I think the list does not keep to the rule that …", but no opinion on what should be done. */
const supposes =
  /^(?:\w{1,10},? )?i (?:do not |don't )?(?:think|tink|guess|believe|suspect)\b(?!.*\b(?:should|we|you|let's)\b)/i;

/** Where a sentence goes on with a clause that may be a rule of its own. */
const joints =
  /[,;:!.] | [-–—] | \(|\b(?:but|and) (?=(?:please )?(?:don't|do not|never|always|only|keep|make sure|ensure|avoid)\b)/i;

/** Words between underscores or asterisks, as Markdown emphasises them. */
const emphasised = /(?<![\p{L}\p{N}_*])([_*]{1,2})([^_*\s][^_*]{0,80})\1(?![\p{L}\p{N}_*])/gu;

function isRuleClause(clause: string): boolean {
  if (isOfMoment(clause)) return false;
  const told = clause.replaceAll(tellsOnly, ' ');
  if (orders.test(told) || demands.test(told) || wishes.test(told) || habit.test(told)) return true;
  return limits.test(told) && !tells.test(told);
}

/**
 * Returns whether a sentence of the user sets a rule or a preference that outlasts the request in which it was said. English; a caller pins
 * what matters in other languages. Takes linear time.
 */
export function isRule(sentence: string): boolean {
  const line = sentence.replaceAll('’', "'").replace(emphasised, '$2').trim();
  const isNone = [setsNoRule, asks, supposes].some((form) => form.test(line));
  if (isNone || isInstead(line)) return false;
  return line.split(joints).some((clause) => isRuleClause(clause.trim()));
}
