import type { HeldTenant } from '../tenants/hold-tenant.ts';
import type { SessionWindows } from '../windows/session-windows.ts';

/** What a request that names itself works on: nothing of it is seen before its answer is. */
export interface HeldRequest extends Pick<HeldTenant, 'store' | 'keys'> {
  /** Of this request alone: a window that stays open would go on from what may never be written. */
  readonly windows: SessionWindows;
}
