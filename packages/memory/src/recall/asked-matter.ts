/** Ways of asking for what facts tell in other words, and the attributes under which those are kept. */
const matters: readonly (readonly [asked: RegExp, attribute: string])[] = [
  [
    /\b(?:where(?: [\w']{1,12}){1,4} (?:live|living|based|located)|city|home ?town|residence|address)\b/i,
    'location',
  ],
  [
    /\b(?:where(?: [\w']{1,12}){1,4} work(?:ing)?|works? (?:at|for)|company|employed|employer|workplace)\b/i,
    'employer',
  ],
  [/\b(?:job|profession|occupation|for a living|work as|who (?:am i|is the user))\b/i, 'role'],
  [/\b(?:called|who (?:am i|is the user|are you talking to))\b/i, 'name'],
  [/\bhow old\b/i, 'age'],
  [/\b(?:born|how old)\b/i, 'birthday'],
  [/\b(?:where(?: [\w']{1,12}){1,4} from|nationality)\b/i, 'origin'],
  [/\b(?:which|what) languages?\b|\banswer in\b|\breply in\b/i, 'answer language'],
  [/\b(?:food|eat|dinner|lunch|recipe|restaurant)\b/i, 'diet'],
  [/\b(?:food|eat|dinner|lunch|recipe|restaurant)\b/i, 'allergic to'],
  [/\b(?:ide|text editor|code editor)\b/i, 'editor'],
  [/\b(?:os|platform)\b/i, 'operating system'],
];

/** The attributes that a query asks for: "where do I live" asks for a location. */
export function askedAttributes(query: string): readonly string[] {
  return matters.flatMap(([asked, attribute]) => (asked.test(query) ? [attribute] : []));
}
