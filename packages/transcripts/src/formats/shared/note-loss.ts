/** Takes note of something that the target cannot hold. */
export type NoteLoss = (loss: string) => void;

/** A note for whoever does not want to know. */
export const ignoreLoss: NoteLoss = () => undefined;
