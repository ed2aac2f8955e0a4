import { speech } from '@ctx/store';
import { aLanguage } from '../languages.ts';
import { attributeAt, matterOfChoice, matterOfRule } from '../matters.ts';
import { after, type Form, type Found } from './form.ts';
import { ruleOfSession } from './habit-forms.ts';

/** What follows "always" and "never" where no rule does: "never mind", "never seen this", "always nice to hear". */
const noVerb =
  '(?!(?:mind|the|and|or|on|in|my|your|seen|been|heard|had|thought|known|done|gone|again|ever|nice|good|great|happy|glad|fun|late|early|easy|hard|possible|worth|enough|sure|true|mine|there|here|too|an?|(?!(?:need|feed|seed|embed|proceed|succeed|exceed|speed)\\b)\\w+ed)\\b)';

/** What a product does for the people who use it: a task, and no rule of the work. */
const ofProduct =
  /\b(?:when(?:ever)?|if|while|until|unless|once|after|before|for|to) (?:the|an?|no|each|every|all|logged[- ]?(?:in|out)) (?:[\w-]{1,20} )?(?:users?|visitors?|customers?|guests?|shoppers?|members?|players?)(?: (?:is|are|has|have|clicks?|logs?|opens?|press(?:es)?|submits?|enters?|visits?|leaves?|scrolls?|hovers?|types?|selects?|signs?)\b|$)/i;

const ofRule = (clause: string): Found | undefined => {
  if (ofProduct.test(clause) || speech.isOfMoment(clause)) return undefined;
  const rule = { kind: 'constraint', ...matterOfRule(clause) } as const;
  const choice = /\buse\b/i.test(clause) ? matterOfChoice(clause) : undefined;
  if (choice === undefined) return rule;
  const { attribute } = rule;
  const ends = attribute === undefined ? [] : [{ subject: 'rule', attributes: [attribute] }];
  return { kind: 'constraint', ...(ends[0] && { ends: ends[0] }), ...choice };
};

/** In which language answers are wanted, and where. */
const ofLanguage: Form['read'] = (match, clause) => {
  const rest = after(match, clause);
  if (
    speech.isForNow(clause) ||
    !/^(?:$|,? (?:please|from now on|going forward|any ?more|again|always|only|not|instead|in|for|unless|when|if)\b(?! this))/i.test(
      rest,
    )
  ) {
    return undefined;
  }
  const [, where = ''] = /^,? ((?:in|for|when|if|unless) .*)$/i.exec(rest) ?? [];
  const { never, language = '' } = match.groups ?? {};
  const attribute = attributeAt('answer language', where);
  const denied = never === undefined ? {} : { denies: language };
  return { kind: 'constraint', subject: 'user', attribute, ...denied };
};

/** Ways of setting a rule. */
export const ofRules: readonly Form[] = [
  {
    pattern: /^(?:please |and |also )*(?:only use \S|\S+(?: \S+)?, not \S+(?: \S+)?$)/i,
    read: (_, clause) => {
      const choice = speech.isForNow(clause) ? undefined : matterOfChoice(clause);
      return choice && { kind: 'preference', ...choice };
    },
  },
  {
    pattern: new RegExp(
      `^(?:(?:please|and|also|but|so|hi|hello|thanks|always|from now on|going forward|in (?:the )?future|I(?:'d| would)? (?:want|like|need|prefer) you to|you (?:should|must)|(?<never>never|do not|don't|stop))[,:]? )*(?:(?:answer|reply|respond|answering|replying|responding)(?: to me| me)?(?: only| always)?|(?:write|speak|talk)(?: to| with)? me) in (?<language>${aLanguage})(?![\\w-])`,
      'i',
    ),
    read: ofLanguage,
  },
  {
    pattern: new RegExp(
      `^(?:(?:please|and|also|but|so|always|from now on|going forward)[,:]? )*(?:I(?:'d| would)? (?:prefer|like|want) (?:your )?(?:answers|replies|responses) in|speak|talk) (?<language>${aLanguage})(?![\\w-])(?: (?:to|with) me)?`,
      'i',
    ),
    read: ofLanguage,
  },
  {
    pattern: new RegExp(
      `^(?:(?:please|and|also|but|so|important|note|rule|you (?:must|should)|I(?:'d| would)? (?:want|like|need) you to|from now on|in (?:the )?future|going forward|make sure (?:to|you)|as a rule|remember to|remember)[,:]? )*(?:always|never) ${noVerb}[a-z]`,
      'i',
    ),
    read: (_, clause) => ofRule(clause),
  },
  {
    pattern:
      /^(?:please |and |also )*(?:from now on|going forward|in (?:the )?future|for all future \w+|as a rule|whenever you|every time you|each time you|remember to)\b[,:]? (?!(?:the|our|it|this) (?:[\w-]+ ){0,2}(?:returns?|sends?|shows?|throws?|crashes|fails?|responds?|prints?|works?)\b)\S/i,
    read: (_, clause) => ofRule(clause),
  },
  {
    pattern:
      /^(?=.* (?:from now on|going forward|in (?:the )?future)$)(?:please |and |also |but )*(?!(?:i|we|you|they|he|she|it|the|my|our|this|that|there|what)\b)[a-z]+ \S+ \S/i,
    read: (_, clause) => ofRule(clause),
  },
  {
    pattern:
      /^(?:and |but |so )*(?:you no longer (?:need|have) to|(?:you (?:do not|don't) (?:need|have) to|(?:there(?:'s| is) )?no need to)(?=.* any ?more$)|you (?:can|may)(?=.* (?:any ?more|again)$)) [a-z]/i,
    read: (_, clause) => ({ kind: 'constraint', ...matterOfRule(clause) }),
  },
  {
    pattern:
      /^(?:please |and |also |but |so |important: )*(?:do not|don't|you (?:must|may) not|you mustn't) (?!forget|know|think|see|have|need|want|care|understand|believe|get|feel|you|i\b|we\b|stop)[a-z]+ \S/i,
    read: (_, clause) => ruleOfSession(clause),
  },
  {
    pattern:
      /^(?:please |and |also |but |so )*(?:stop (?:using|adding|writing|putting|including) \S|no (?!need|problem|worries|idea|one|way|more questions|that)\S+(?: \S+){0,3},? please$|use \S+(?: \S+){0,3} again$)/i,
    read: (_, clause) => ruleOfSession(clause),
  },
  {
    pattern:
      /^(?:please |and |also |no, |actually, )*use (?!(?:the|this|that|these|those|my|your|it)\b)\S+(?: \S+){0,4}?,? (?:instead of|not|rather than) (?!(?:the|this|that|these|those|it)\b)\S/i,
    read: (_, clause) => ({ kind: 'preference', ...matterOfChoice(clause) }),
  },
];
