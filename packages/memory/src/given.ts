/** Leaves out the members that are undefined. */
export function given<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  const known = Object.entries(members).filter(([, value]) => value !== undefined);
  // Only undefined members went.
  return Object.fromEntries(known) as {
    [Name in keyof Members]?: Exclude<Members[Name], undefined>;
  };
}
