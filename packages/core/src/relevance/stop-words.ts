/** English words that say nothing about what a text is about, as {@link splitWords} gives them. Source: our own list. */
export const stopWords: ReadonlySet<string> = new Set(
  (
    'a about above after again all already also although always am an and another any anyway are aren as at ' +
    'be because been before being below between both but by can cannot could couldn did didn do does doesn doing ' +
    'don done down during each either else ever every few for from further get gets getting go goes going got had ' +
    'hadn has hasn have haven having he her here hers him his how however i if in into is isn it its itself just ' +
    'let lets like ll look made make many may maybe me might more most much must my need no nor not now of off ok ' +
    'okay on once one only or other our out over own please really same say see she should shouldn since so some ' +
    'still such sure than thank thanks that the their them then there these they thing things think this those ' +
    'through to too try under until up us use used using ve very want was wasn way we well were weren what when ' +
    'where whether which while who whom whose why will with without won would wouldn yeah yes yet you your'
  ).split(' '),
);
