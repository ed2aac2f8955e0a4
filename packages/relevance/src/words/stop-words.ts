/**
 * English words that say nothing about what a text is about, in the form that `splitWords` gives them.
 * Source: our own list of articles, pronouns, auxiliaries, prepositions and the commonest verbs of asking.
 */
export const stopWords: ReadonlySet<string> = new Set(
  (
    'able about above actually after again against all already also although always am an and ' +
    'another any anyone anything anyway are aren as ask at back be because been before being ' +
    'below between both but by can cannot come could couldn did didn do does doesn doing don ' +
    'done down during each either else even ever every everyone everything few for from ' +
    'further get gets getting give go goes going got had hadn happen has hasn have haven ' +
    'having he her here hers him himself his how however if in into is isn it its itself just ' +
    'keep know let lets like ll look made make many may maybe me might more most much must my ' +
    'need no nor not nothing now of off ok okay on once one only or other our out over own ' +
    'please put really right same say see seem she should shouldn since so some someone ' +
    'something still such sure take tell than thank thanks that the their them themselves ' +
    'then there these they thing things think this those through to too try under until up us ' +
    'use used using ve very want was wasn way we well were weren what when where whether ' +
    'which while who whom whose why will with within without won would wouldn yeah yes yet ' +
    'you your yourself'
  ).split(' '),
);
