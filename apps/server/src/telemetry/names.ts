/** Names of spans and of what stands on them. The only file with names of the semantic conventions for generative AI. */
export const spanNames = {
  prepare: 'ctx.prepare',
  compaction: 'ctx.compaction',
  flashSave: 'ctx.flash_save',
  restore: 'ctx.restore',
} as const;

/** Attributes of spans. Ids, names and sizes; never content. */
export const attributeNames = {
  session: 'gen_ai.conversation.id',
  agent: 'gen_ai.agent.id',
  model: 'gen_ai.request.model',
  inputTokens: 'gen_ai.usage.input_tokens',
  limitTokens: 'ctx.limit_tokens',
  messages: 'ctx.messages',
} as const;
