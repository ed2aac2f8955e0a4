export {
  bytesText,
  countedText,
  countsText,
  countText,
  percentText,
  timeText,
} from '../text/count-text.ts';
export { decodeText, encodeText } from '../text/well-formed.ts';
export { canonicalJson } from './canonical-json.ts';
export { copyData } from './copy-data.ts';
export { isPlainData } from './copy-plain.ts';
export { isPlainContainer } from './decode-tagged.ts';
export { decodeJson, decodeValue, mayHoldTags } from './decode-value.ts';
export { encodeValue } from './encode-value.ts';
export { setOwn, tagKey } from './encoded-value.ts';
export { fingerprint, fingerprintOfEncoded, fingerprintText } from './fingerprint.ts';
export { isRecord } from './is-record.ts';
export { jsonLine, outputText, outputTextOfEncoded } from './output-text.ts';
