import type { WindowPolicy } from './window-policy.ts';

/**
 * The numbers of a policy that hold in a window of a given size.
 * Pure; for one size always the same object. Makes one comparison.
 */
export function policyBySize(policy: WindowPolicy): (windowTokens: number) => WindowPolicy {
  const { smallWindow } = policy;
  if (smallWindow === undefined) return () => policy;
  const { fromTokens, belowTokens, numbers } = smallWindow;
  const small = { ...policy, ...numbers };
  return (windowTokens) =>
    windowTokens >= fromTokens && windowTokens < belowTokens ? small : policy;
}
