export {
  createRedactor,
  type Redacted,
  type RedactionMode,
  type RedactionReceipt,
  type Redactor,
} from './redact.ts';
export type { SecretKind } from './secret-span.ts';
