/** A column of a table. */
export interface TableColumn {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Gets what width is left on a terminal; at most one column. */
  readonly isFlexible?: boolean;
  /** Is never cut, because it is copied: a pointer, an id. */
  readonly isWhole?: boolean;
}

/** A row of a table and, if anything, lines that belong above and under it: cut to the width and visible already. */
export interface TableEntry {
  readonly cells: readonly string[];
  readonly above?: string;
  readonly below?: string;
}
