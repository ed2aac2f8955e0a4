// `npm test` tries one way of each kind. Here all of them are tried.
import './dialects/gemini/gemini.test.ts';
import './dialects/openai-chat/openai-chat.test.ts';
import './dialects/openai-responses/openai-responses.test.ts';
import './http/listener.test.ts';
