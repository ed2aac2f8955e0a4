import { fingerprintText } from '@ctx/core/encoding';

/** What the name of an output is made of (seed 000). */
export interface OutputIdParts {
  readonly toolName: string;
  /** SHA-256 (hex) of the canonical arguments. */
  readonly argsFingerprint: string;
  /** ms since the epoch. */
  readonly createdAt: number;
  readonly sequence: number;
  /** From the id source, or made of the call's id; the first eight signs (48 bits) make the name unique between processes that save at the same moment. */
  readonly random: string;
}

/**
 * `{toolName}_{argsHash}_{timestamp}_{sequence}_{random}`: a name that tells a person what the file holds.
 * Short, since it stands in the prompt for each output that left: every sign of it is paid for at each request.
 * Matches `^[A-Za-z0-9_][A-Za-z0-9_-]{0,127}$`; code never takes it apart again.
 */
export function outputId(parts: OutputIdParts): string {
  const plain = parts.toolName.slice(0, 40).replace(/[^A-Za-z0-9_-]/g, '_');
  const tool = plain === '' || plain.startsWith('-') ? `_${plain}` : plain;
  const random = parts.random.replace(/[^A-Za-z0-9_-]/g, '').slice(0, 8);
  const hash = parts.argsFingerprint.slice(0, 8);
  return `${tool}_${hash}_${String(parts.createdAt)}_${String(parts.sequence)}_${random}`.slice(
    0,
    128,
  );
}

/**
 * The end of the name of an output that was saved with the id of its call: eight signs (32 bits).
 * Equal ids give equal signs; different ones may, too, so whoever finds an output by them compares what it holds.
 */
export function signsOfCall(callId: string): string {
  return fingerprintText(callId).slice(0, 8);
}
