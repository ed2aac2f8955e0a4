/** What a query asks for as the user's own: `my city`, `which city does the user live in`; a word alone asks for nothing of theirs. */
const own = (words: string): string =>
  `(?:(?:my|your|user's)(?: (?:current|home|own))? (?:${words})|(?:which|what) (?:${words})(?: [\\w']{1,12}){0,2} (?:I|user))`;

const asking = (words: string, others?: string): RegExp =>
  new RegExp(`\\b(?:${own(words)}${others === undefined ? '' : `|${others}`})\\b`, 'i');

/** Ways of asking for what facts tell in other words, and the attributes under which those are kept. */
const matters: readonly (readonly [asked: RegExp, attribute: string])[] = [
  [
    asking(
      'city|home ?town|residence|address',
      "where(?: [\\w']{1,12}){1,4} (?:live|living|based|located)",
    ),
    'location',
  ],
  [
    asking(
      'company|employer|workplace',
      "where(?: [\\w']{1,12}){1,4} work(?:ing)?|who(?: [\\w']{1,12}){1,3} works? for",
    ),
    'employer',
  ],
  [asking('job|profession|occupation', 'for a living|work as|who (?:am I|is the user)'), 'role'],
  [
    asking('name', 'who (?:am I|is the user|are you talking to)|(?:am I|user|is the user) called'),
    'name',
  ],
  [/\bhow old\b/i, 'age'],
  [/\b(?:born|how old)\b/i, 'birthday'],
  [asking('nationality', "where(?: [\\w']{1,12}){1,4} from"), 'origin'],
  [/\b(?:which|what) languages?\b|\banswer in\b|\breply in\b/i, 'answer language'],
  [/\b(?:food|eat|dinner|lunch|recipe|restaurant)\b/i, 'diet'],
  [/\b(?:food|eat|dinner|lunch|recipe|restaurant)\b/i, 'allergic to'],
  [asking('ide|text editor|code editor'), 'editor'],
  [asking('os|platform'), 'operating system'],
];

/** The attributes that a query asks for: "where do I live" asks for a location. */
export function askedAttributes(query: string): readonly string[] {
  return matters.flatMap(([asked, attribute]) => (asked.test(query) ? [attribute] : []));
}
