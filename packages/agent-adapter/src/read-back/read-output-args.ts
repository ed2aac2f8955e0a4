/** Which part of an output is wanted: lines, characters, matches of a pattern, or a member. */
export interface ReadOutputArgs {
  readonly pointer: string;
  readonly from?: number;
  readonly to?: number;
  /** A range such as `12001-24000`, of the whole text or of what stands at `jsonPath`. */
  readonly characters?: string;
  readonly pattern?: string;
  readonly regex?: boolean;
  readonly ignoreCase?: boolean;
  readonly contextLines?: number;
  readonly after?: number;
  readonly jsonPath?: string;
}

/** Most characters of one answer, so that reading back never floods the window again. */
export const maxAnswerCharacters = 12_000;
