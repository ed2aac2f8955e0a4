/** What a request consists of besides its messages, each as any text that changes with it, such as a fingerprint. */
export interface RequestParts {
  readonly model?: string;
  readonly tools?: string;
  readonly system?: string;
}
