export { handleHook, readsTranscript } from './handle-hook.ts';
export { readHookInput } from './hook-input.ts';
export { planHookSettings } from './hook-settings.ts';
export { hostSessionOf } from './host-session.ts';
export { readGauge } from './observe/gauge.ts';
export { renderStatusline } from './observe/render-statusline.ts';
export { statuslineOf, statuslineSchema } from './observe/statusline.ts';
export { readSettings } from './settings-file.ts';
