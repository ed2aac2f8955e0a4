// `npm test` tries few of the random histories. Here all of them are tried.
import './context-manager/context-manager.test.ts';
import './context-manager/history/rebuilt-history.test.ts';
import './handed-out.test.ts';
import './langchain/items/find-items.test.ts';
