/** How a summary in lines begins; a line for each message follows. Source: seed 003. */
export const linesHeader = 'Previous conversation summary:';
