/** How `ctx` is called in a shell, for a model that has one. */
export interface ShellCommand {
  /** The program, with its script where it has one, as a shell takes it. Default `ctx`. */
  readonly program: string;
  /** What stands after the rest, such as `--store sqlite:ctx.db`. Default nothing. */
  readonly flags: string;
}

/** `ctx` on the PATH, with the store of the folder. */
export const defaultShellCommand: ShellCommand = { program: 'ctx', flags: '' };

/** The command that reads an output. */
export function readCommand({ program, flags }: ShellCommand, address: string): string {
  return [program, 'read', address, flags].filter((part) => part !== '').join(' ');
}

const reading = /^ (?:read|search|outputs) (?:[^\n\r;&|<>`$]|\$\.)*$/;

/** Whether a line for a shell does nothing but read what ctx keeps. */
export function readsByShell({ program }: ShellCommand, line: string): boolean {
  const text = line.trim();
  return [program, defaultShellCommand.program].some(
    (name) => text.startsWith(`${name} `) && reading.test(text.slice(name.length)),
  );
}
