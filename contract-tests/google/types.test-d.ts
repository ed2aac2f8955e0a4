/** Checked by the compiler: the README's example as it stands, and what comes of it. */
import { withContext } from '@ctx/agent-adapter/google';
import { type GenerateContentResponse, GoogleGenAI } from '@google/genai';
import { GoogleGenAI as GoogleGenAI2 } from 'google2';
import { expectTypeOf } from 'vitest';

const client = withContext(new GoogleGenAI({ apiKey: 'k' }), { session: 'my-agent' });

expectTypeOf(client).toExtend<GoogleGenAI>();
expectTypeOf(client).toExtend<AsyncDisposable>();
expectTypeOf(client.end).returns.resolves.toBeVoid();
const older = withContext(new GoogleGenAI2({ apiKey: 'k' }), { session: 's' });
expectTypeOf(older).toExtend<GoogleGenAI2>();
const answer = await client.models.generateContent({ model: 'gemini-3-pro', contents: 'Hello' });
expectTypeOf(answer).toEqualTypeOf<GenerateContentResponse>();
expectTypeOf(client.chats).toEqualTypeOf<GoogleGenAI['chats']>();

// @ts-expect-error A session needs a name.
withContext(new GoogleGenAI({ apiKey: 'k' }), {});
// @ts-expect-error This is no client of Google's.
withContext({ models: {} }, { session: 's' });
