import type { ContextManager } from '../context-manager/context-manager.ts';
import { prepareShared } from '../context-manager/request/prepare-shared.ts';
import type { PrepareReceipt, RequestSettings } from '../context-manager/request/prepared.ts';
import type { GivenHistory, HostMessages } from '../host-messages/host-messages.ts';
import { ofManager } from '../host-messages/of-manager.ts';
import type { ItemShape } from './host-types.ts';
import { agentMessages } from './items/agent-messages.ts';
import {
  type AlignedMessage,
  alignMessages,
  type KnownTwins,
  replacedMessages,
} from './items/align-messages.ts';

/** What is remembered of a manager's inputs from request to request. */
interface KnownInput {
  readonly codec: HostMessages<ItemShape>;
  readonly twins: KnownTwins;
}

const knownOf = ofManager((): KnownInput => ({ codec: agentMessages(), twins: new WeakMap() }));

/** An item of the user, and the one that went out in its place. */
export interface ReplacedItem {
  readonly original: ItemShape;
  readonly sent: ItemShape;
}

/** An input that fits. */
export interface FittedInput {
  readonly items: readonly ItemShape[];
  /** The user's words that had to go out as others. Goes through the messages. */
  readonly replaced: () => readonly ReplacedItem[];
  readonly receipt: PrepareReceipt;
}

function replacedItems(
  codec: HostMessages<ItemShape>,
  history: GivenHistory<ItemShape>,
  aligned: readonly AlignedMessage[],
): ReplacedItem[] {
  return replacedMessages(aligned, history.messages).flatMap(({ before, sent }) => {
    const [original] = history.originsOf(before) ?? [];
    const [item] = codec.write([sent], history).sent;
    return original && item ? [{ original, sent: item }] : [];
  });
}

/** Makes the input of a request fit. Nothing given is changed; what did not change is the host's own object. */
export async function fitInput(
  manager: ContextManager,
  input: readonly ItemShape[],
  settings: RequestSettings,
): Promise<FittedInput> {
  const { codec, twins } = knownOf(manager);
  const history = codec.read(input);
  const { messages: fitting, receipt } = await prepareShared(manager, history.messages, settings);
  const aligned = alignMessages(fitting, history, twins);
  // What comes later is none of this input.
  const { length } = history.messages;
  const sent = aligned.map(({ message, place = -1 }) => history.messages[place] ?? message);
  return {
    items: codec.write(sent, history).sent,
    replaced: () => {
      const messages = history.messages.slice(0, length);
      return replacedItems(codec, { ...history, messages }, aligned);
    },
    receipt,
  };
}
