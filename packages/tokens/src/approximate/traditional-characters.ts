/** From each sign to the next, in base 36: as text they would weigh three times as much in a bundle. */
const distances =
  'ffq 82 c x h 1o 21 6 2r 1 10 q i 1g v q 1h 2 1t 3f 5 t 1a e 4 26 4 2e h k 13 20 7y 32 g 27 w 21 4d 2f 2 9 69 1m p 5y u ' +
  '39 cl 32 5 s 1 3 2 1 2e 8 cq 1h e 5 19 3u 2 y 12 i d b g b6 o b z 11 j d4 1m 5m s 6 j q 3 2o x 1r 3v 52 b 32 8c 5s 8 2e ' +
  '26 a 1o 1h e d 2d 6 2f h 7c o 1b 9m h 2y 2x 68 1c 2c 2f 2v 7t 12 2o 4o a 3w 4y 36 1s e 6 k 6q 2t 2 1 d2 2 2a 1l 2n 3a i ' +
  '3 b3 4 2l s 13 4g 7 2 d m 9 9 2 c 5 c 5 b y q 5 o g e 1 b 1m f 1a h g 7x 15 4d e al d 2 1 f6 ai 4v a dw a 3k 4 s a 3o 4 ' +
  '7 10 3 1x 6 2 9 5 i 3 4 9 1 z 4 4 b 1 1 q h 6 6 8 d c b 1x 2 18 f n 1 7 9 a 9 7e 3 1 6 1 1 1 1 1 8 3 4 4 8 c 9 2 4 1 7 ' +
  '2 8 6 2 1 b 2 5 3q 4 20 1b 10 17 5 2u 2 1 5 d 10 6 b 1 6 2 c 1 5 9 3 9 5 5 h 45 x 4 a e 1 o 1 3 6 1 9 2 9 9 5 1 2 7 3 6 ' +
  '5 2u k u 6 3 3f 1 k b 5 8 5 6 1d 1 v 13 11 5 j r 4 a h o i 8 u 4 9 7 l g q x o q p 1j t f d 1 u d 6y 9 3 6 2 7 1 5 b 2 ' +
  'c l 4 c 6 5 3m d 3 5 5 d 4 d d 2 7 a r 3 3 2 4 1 f 9 18 x k 3b 18 2 1 3 1 2 8 7 1 l 3 8 3 b 6 1 2 9 6 9 8 1l 9 j n 7 d ' +
  '3 a 1 1 5 2 5 9 5 g 16 2i 2 5 t 5 6 i x b n 7 e g 2 3 5 3 34 2 q o 7 o 2 1f l 1r 1m 71 e 1 l v j y 4c 3o q e g 7 7 r a ' +
  '2q 8 f 18 f';

let code = 0;

/** The common signs that Chinese writes in the traditional way only, in order: tokenizers know few of them, and few words of them. */
export const traditionalSigns: string = distances
  .split(' ')
  .map((distance) => String.fromCodePoint((code += Number.parseInt(distance, 36))))
  .join('');
