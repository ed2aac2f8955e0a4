/** Names of languages as English writes them, and as a few of them write themselves. */
const names =
  'arabic|bengali|bulgarian|catalan|cantonese|chinese|croatian|czech|danish|dutch|english|estonian|finnish|flemish|french|german|greek|hebrew|hindi|hungarian|icelandic|indonesian|irish|italian|japanese|korean|latvian|lithuanian|malay|mandarin|norwegian|persian|polish|portuguese|romanian|russian|serbian|slovak|slovenian|spanish|swahili|swedish|tamil|thai|turkish|ukrainian|urdu|vietnamese|welsh|deutsch|español|français|italiano|português|nederlands|polski';

/** A language, with what varies it: `Brazilian Portuguese`, `simplified Chinese`. */
export const aLanguage = `(?:(?:british|american|brazilian|swiss|simplified|traditional|plain|simple|formal) )?(?:${names})`;

/** Words that name a nationality. */
export const nationality = new RegExp(
  `^(?:${names}|american|argentin\\w+|australian|austrian|belgian|brazilian|british|canadian|chilean|colombian|cuban|egyptian|european|african|asian|indian|iranian|israeli|kenyan|mexican|moroccan|nigerian|pakistani|peruvian|scottish|swiss|syrian)$`,
  'i',
);
