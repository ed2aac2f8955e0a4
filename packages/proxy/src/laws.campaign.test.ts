// `npm test` splits a stream at some of its places. Here all of them are tried.
import './http/listener.test.ts';
