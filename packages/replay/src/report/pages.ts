import { reportPage } from './report-page.ts';
import { sessionPage } from './session/session-page.ts';

/** Pages of their own, one HTML file each: what replays found, and a session to pass on. */
export const pages = { report: reportPage, session: sessionPage };
