import { expect, it } from 'vitest';
import { memoryBackend } from '../backend/memory/memory-backend.ts';
import { openStore } from '../open-store.ts';
import { signsOfCall } from './output-id.ts';

it('ends the name of an output with the signs of its call, so that it is found again', async () => {
  const store = await openStore(memoryBackend());
  const input = { sessionId: 's', toolName: 'Bash', args: { command: 'ls' }, result: 'a.ts' };
  const { pointer } = await store.outputs.save({ ...input, callId: 'call_1' });
  const other = await store.outputs.save({ ...input, callId: 'call_1' });
  const { pointer: random } = await store.outputs.save(input);
  expect(pointer.id.endsWith(`_${signsOfCall('call_1')}`)).toBe(true);
  expect(other.pointer.id).not.toBe(pointer.id);
  expect(random.id.endsWith(`_${signsOfCall('call_1')}`)).toBe(false);
  expect(signsOfCall('call_1')).not.toBe(signsOfCall('call_2'));
  await store.close();
});
