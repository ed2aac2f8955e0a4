// The campaigns install the client and run its tests; `npm test` runs them where it is installed already.
import './gemini.test.ts';
