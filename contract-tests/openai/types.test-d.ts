/** Checked by the compiler: the README's example as it stands, and what comes of it. */
import { withContext } from '@ctx/agent-adapter/openai';
import OpenAI from 'openai';
import OpenAI6 from 'openai6';
import { zodTextFormat } from 'openai/helpers/zod';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';

const client = withContext(new OpenAI(), { session: 'my-agent' });

expectTypeOf(client).toExtend<OpenAI>();
expectTypeOf(client).toExtend<AsyncDisposable>();
expectTypeOf(withContext(new OpenAI6(), { session: 's' })).toExtend<OpenAI6>();

const format = zodTextFormat(z.object({ full: z.boolean() }), 'fill');
const asked = { model: 'gpt-5.2', input: 'How full?', text: { format } };
const parsed = await client.responses.parse(asked);
expectTypeOf(parsed.output_parsed).toEqualTypeOf<{ full: boolean } | null>();
const streamed = await client.responses.stream(asked).finalResponse();
expectTypeOf(streamed.output_parsed).toEqualTypeOf<{ full: boolean } | null>();

// @ts-expect-error A session needs a name.
withContext(new OpenAI(), {});
