// `npm test` tries a part of these. Here they are tried whole.
import './context-manager/context-manager.test.ts';
import './context-manager/history/rebuilt-history.test.ts';
import './handed-out.test.ts';
import './host-messages/host-messages.test.ts';
import './imports.test.ts';
import './langchain/items/find-items.test.ts';
