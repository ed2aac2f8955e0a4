import { copyData } from '@ctx/core/encoding';
import { type HostMessages, hostMessages } from '../../host-messages/host-messages.ts';
import type { ItemShape } from '../host-types.ts';
import { mayJoin, readItem } from './read-items.ts';
import { writeItems } from './write-items.ts';

/** Makes the reader and writer of the items of one conversation. `write` gives items equal to those that were read. */
export function agentMessages(): HostMessages<ItemShape> {
  return hostMessages({
    read: (item) => readItem(copyData(item)),
    copy: copyData,
    write: writeItems,
    mayJoin,
  });
}
