export { handleHook } from './handle-hook.ts';
export { readHookInput } from './hook-input.ts';
export { planHookSettings } from './hook-settings.ts';
export { hostSessionOf } from './host-session.ts';
export { renderStatusline } from './observe/render-statusline.ts';
export { statuslineOf, statuslineSchema } from './observe/statusline.ts';
export { pipes } from './resident/pipes.ts';
export { residentAt } from './resident/resident.ts';
export { readSettings } from './settings-file.ts';
