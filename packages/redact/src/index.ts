export {
  createRedactor,
  type RedactionMode,
  type RedactionReceipt,
  type Redactor,
} from './redact.ts';
