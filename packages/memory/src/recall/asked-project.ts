import { searchWords } from '@ctx/relevance';
import type { AgentFact } from '@ctx/store';

/** A kind of question, and the facts that answer it in other words. */
export interface Question {
  /** A query is of this kind if it matches each of these. */
  readonly asked: readonly RegExp[];
  readonly subject: 'user' | 'project' | 'person' | 'rule';
  /** Attributes of what answers. */
  readonly attribute: RegExp;
  /** Search words that find such facts in a store. */
  readonly words: string;
  /** Matches the words that belong to the question itself. A fact must contain all other words of the query; without a topic it need not. */
  readonly topic?: RegExp;
}

const where =
  /\b(?:where|which|what|whose|do|does|is|are|host(?:s|ed|ing)?|deploy(?:s|ed|ing|ment)?|runs?|running|cloud|provider|platform|servers?|production)\b/gi;

const how = /\b(?:what|which|how|where)\b/i;

/** Questions about a project. */
export const ofProject: readonly Question[] = [
  {
    asked: [
      /\b(?:where|(?:which|what) (?:cloud|host(?:s|ed|ing)?|platform|provider))\b/i,
      /\b(?:deploy(?:s|ed|ing|ment)?|host(?:s|ed|ing)?|runs?|running|cloud|provider|platform|in production)\b/i,
    ],
    ...{ subject: 'project', words: 'deploy host run cloud provider', topic: where },
    attribute: /^(?:deploy (?:to|with)|host|run (?:on|in)|cloud provider)\b/,
  },
  {
    asked: [
      /^(?!.*\b(?:answer|reply|I|user|you)\b)/i,
      /\b(?:which|what) (?:programming )?languages?\b/i,
    ],
    ...{ subject: 'project', words: 'use written' },
    attribute: /^use written\b/,
    topic: /\b(?:programming|languages?|written|coded|built|implemented|made|uses?)\b/gi,
  },
  {
    asked: [/\bcontinuous integration\b|\bci\b|\bruns? (?:our|the) builds?\b/i],
    ...{ subject: 'project', words: 'ci', attribute: /^ci\b/ },
    topic: /\b(?:continuous integration|ci|systems?|services?|providers?|runs?|builds?)\b/gi,
  },
  {
    asked: [how, /\blint(?:s|ed|ing)?\b/i],
    ...{ subject: 'project', words: 'linter lint', attribute: /^(?:linter|use lint)\b/ },
    topic: /\blint(?:s|ed|ing)?\b/gi,
  },
  {
    asked: [how, /\bformat(?:s|ted|ting)?\b(?! of\b)/i],
    ...{ subject: 'project', words: 'formatter format', attribute: /^(?:formatter|use format)\b/ },
    topic: /\b(?:format(?:s|ted|ting)?|code|files?)\b/gi,
  },
  {
    asked: [how, /\bbundl(?:es?|ed|ing)\b/i],
    ...{ subject: 'project', words: 'bundler bundle', attribute: /^(?:bundler|use bundl)\b/ },
    topic: /\bbundl(?:es?|ed|ing)\b/gi,
  },
  {
    asked: [
      how,
      /\b(?:db|(?:data|records|rows) (?:stored|kept|saved|persisted)|(?:store|keep|save|persist) (?:our |the )?data)\b/i,
    ],
    ...{ subject: 'project', words: 'database', attribute: /^database\b/ },
    topic: /\b(?:db|data|records|rows|stored?|kept|keep|saved?|persist(?:ed)?)\b/gi,
  },
  {
    asked: [/\b(?:test(?:ing|s)? (?:framework|library|tool|runner)|(?:test|tests|tested) with)\b/i],
    ...{ subject: 'project', words: 'test runner', attribute: /^(?:test runner|use test)\b/ },
    topic: /\b(?:tests?|testing|tested|framework|library|tool|runner|runs?|unit)\b/gi,
  },
  {
    asked: [
      /\b(?:install|add|lock ?file)\b/i,
      /\b(?:dependenc(?:y|ies)|packages?|modules?|librar(?:y|ies)|lock ?file)\b/i,
    ],
    ...{ subject: 'project', words: 'package manager', attribute: /^package manager\b/ },
    topic:
      /\b(?:install|add|new|command|dependenc(?:y|ies)|packages?|modules?|librar(?:y|ies)|lock ?file)\b/gi,
  },
  {
    asked: [/\bquot(?:es?|ation|ing)\b/i],
    ...{ subject: 'project', words: 'quotes', attribute: /^quotes\b/ },
    topic: /\b(?:quot(?:e|es|ation|ing)|marks?|strings?|kind|write|style)\b/gi,
  },
  {
    asked: [/\bwhom?\b/i, /\b(?:owns?|owner|responsible|charge|maintains?|ask|contact|talk)\b/i],
    ...{ subject: 'person', words: 'owns', attribute: / owns /i },
    topic: /\b(?:owns?|owner|responsible|charge|maintains?|ask|contact|talk)\b/gi,
  },
  {
    asked: [
      /\b(?:when|how long|by what date)\b/i,
      /\b(?:due|done|finish(?:ed)?|ready|submit|deliver(?:ed)?)\b/i,
    ],
    ...{ subject: 'project', words: 'deadline due', attribute: /\b(?:deadline|due date)\b/ },
    topic: /\b(?:due|done|finish(?:ed)?|ready|submit|deliver(?:ed)?|everything|work)\b/gi,
  },
  {
    asked: [/\bwhen\b/i, /\b(?:ship(?:ped)?|releas(?:e|ed)|launch(?:ed)?|go(?:es|ing)? live)\b/i],
    ...{ subject: 'project', words: 'release launch', attribute: /\b(?:release|launch)\b(?! on)/ },
    topic: /\b(?:next|ship(?:ped)?|releas(?:e|ed)|launch(?:ed)?|go(?:es|ing)? live)\b/gi,
  },
  {
    asked: [/\bhow often\b/i, /\b(?:ship|releas|deploy)/i],
    ...{ subject: 'project', words: 'release', attribute: /^(?:release|ship|deploy) on\b/ },
    topic: /\b(?:often|ship|releas(?:e|es|ed|ing)|deploy(?:s|ed|ing|ment)?)\b/gi,
  },
  {
    asked: [/\b(?:timestamps?|dates|times)\b/i, /\b(?:in|stored|saved|kept)\b/i],
    ...{
      subject: 'project',
      words: 'format timestamp',
      attribute: /^format (?:timestamp|date|time)\b/,
    },
  },
  {
    asked: [/\bwhat\b/i, /\b(?:we|I|project|app)\b/i, /\b(?:build|building|working on|called)\b/i],
    ...{ subject: 'project', words: 'project name type', attribute: /^project (?:name|type)\b/ },
    topic: /\b(?:build|building|working|called|name|product)\b/gi,
  },
  {
    asked: [/\bbrowsers?\b/i, /\b(?:support(?:s|ed|ing)?|must|have to|need to|work)\b/i],
    ...{ subject: 'project', words: 'support' },
    attribute: /^support (?:safari|chrom|firefox|edg|ie|internet)/,
  },
  {
    asked: [/\bruntime\b/i],
    ...{
      subject: 'project',
      words: 'node version',
      attribute: /^(?:node|deno|bun|python|java) version\b/,
    },
    topic: /\b(?:runtime|versions?)\b/gi,
  },
  {
    asked: [/\b(?:what|how|must|should|may)\b/i, /\b(?:pull|merge) requests?\b/i],
    ...{ subject: 'rule', words: 'pr prs', attribute: /\bprs?\b/ },
    topic: /\b(?:pull requests?|merge requests?|contain|have|look|need|include)\b/gi,
  },
];

/** Words for the whole of what is worked on, and those that say little. */
const general = new Set(
  searchWords(
    'app application project code codebase product system repo repository team company everything current currently now thing things stuff tool software main new',
  ),
);

/** The words of a query that its kind does not account for. */
export const otherWords = (query: string, { topic }: Question): readonly string[] =>
  topic === undefined
    ? []
    : searchWords(query.replaceAll(topic, ' ')).filter((word) => !general.has(word));

/** Parts of a project and places where it runs, of which each may have its own value. */
const parts =
  /\b(?:front[ -]?end|back[ -]?end|api|server|client|web ?site|cli|docs|database|worker|dashboard|admin|mobile|desktop|ios|android|staging|production|development|locally|ci|tests?|migrations?)\b/gi;

const partsIn = (text: string): Set<string> =>
  new Set((text.toLowerCase().match(parts) ?? []).map((one) => one.replace(/[ -]|s$/g, '')));

/** Whether a query asks for one part of the project, and a fact tells of another: the port of the API is not that of the database. */
export function isOfOtherPart(query: string): (fact: AgentFact) => boolean {
  const asked = partsIn(query);
  return ({ text, detail }) => {
    if (asked.size === 0 || detail?.subject !== 'project') return false;
    const told = partsIn(text);
    return told.size > 0 && ![...told].some((one) => asked.has(one));
  };
}
