/** Whose facts these are where no agent is named. */
export const defaultAgentId: string = 'default';
