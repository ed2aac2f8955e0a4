export {
  bytesText,
  countedText,
  countsText,
  countText,
  percentText,
  timeText,
} from '../text/count-text.ts';
export { decodeText, encodeText, escapeCharacter, isWellFormed } from '../text/well-formed.ts';
export { canonicalJson } from './canonical-json.ts';
export { copyData } from './copy-data.ts';
export { isPlainData } from './copy-plain.ts';
export { isPlainContainer } from './decode-tagged.ts';
export { decodeJson, decodeValue, mayHoldTags } from './decode-value.ts';
export { encodeScalar } from './encode-scalar.ts';
export { encodeValue } from './encode-value.ts';
export { type EncodedValue, setOwn, tagKey } from './encoded-value.ts';
export {
  fingerprint,
  fingerprintBytes,
  fingerprintOfEncoded,
  fingerprintText,
} from './fingerprint.ts';
export { jsonLine, outputText, outputTextOfEncoded } from './output-text.ts';
