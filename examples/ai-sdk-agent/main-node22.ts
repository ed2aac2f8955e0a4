/** The same agent on the AI SDK 7, which wants Node 22. */
import { contextMiddleware, contextTools, wrapTools } from '@ctx/agent-adapter/ai-sdk';
import { generateText, isStepCount, jsonSchema, wrapLanguageModel } from 'ai7';
import { createOpenAICompatible } from 'openai-compatible-7';
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
    instructions: 'You look after jobs.',
    prompt: task,
    stopWhen: isStepCount(20),
  });
  return text;
});
console.log(`AI SDK 7: ${said}`);
