/**
 * An agent on the AI SDK 6 with a context manager: the middleware makes every prompt fit, wrapped tools show the model a preview of large
 * results, and the tools of ctx read back what left. The model is a script behind a real provider; `main-node22.ts` is the same with 7.
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { contextMiddleware, contextTools, wrapTools } from '@ctx/agent-adapter/ai-sdk';
import { generateText, jsonSchema, stepCountIs, wrapLanguageModel } from 'ai';
import { jobSchema, runJob, task, watchAgent } from './watch-agent.ts';

const said = await watchAgent(async (manager, baseURL) => {
  const chat = createOpenAICompatible({ name: 'loopback', baseURL })('scripted-model');
  const inputSchema = jsonSchema<{ readonly job: number }>(jobSchema);
  const { text } = await generateText({
    model: wrapLanguageModel({ model: chat, middleware: contextMiddleware(manager) }),
    tools: {
      ...wrapTools(manager, { run_job: { ...runJob, inputSchema } }),
      ...contextTools(manager, jsonSchema),
    },
    system: 'You look after jobs.',
    prompt: task,
    stopWhen: stepCountIs(20),
  });
  return text;
});
console.log(`AI SDK 6: ${said}`);
