export { fileReadTools, isFileRead } from './file-tools.ts';
export { createSegmentMeter, type SegmentMeter } from './measure-segments.ts';
export { checkOffloadPolicy, defaultOffloadPolicy, type OffloadPolicy } from './offload-policy.ts';
export { type OffloadTextInput, offloadText } from './offload-text.ts';
export { outputIdOf, pointerUri } from './pointer-uri.ts';
export { type PreparedRequest, type PrepareOptions, prepareRequest } from './prepare-request.ts';
export { type RecordedOutput, type RecordOptions, recordToolOutput } from './record-tool-output.ts';
