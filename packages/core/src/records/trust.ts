/**
 * How far content may be believed. `trusted`: the developer or the user said it. `derived`: the assistant made it.
 * `untrusted`: everything else. Text made from several contents gets the lowest trust among them.
 */
export type Trust = 'trusted' | 'derived' | 'untrusted';
