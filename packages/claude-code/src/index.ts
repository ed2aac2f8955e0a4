export { answerHook, type HookOptions } from './answer-hook.ts';
export type { ContextAnswer, HookAnswer, ToolOutputAnswer } from './hook-answer.ts';
export { type HookTally, tallyHookCalls } from './hook-calls.ts';
export {
  type EndInput,
  type HookInput,
  type HookPlace,
  type OtherInput,
  type PreCompactInput,
  type PromptInput,
  readHookInput,
  type SessionStartInput,
  type ToolUseInput,
} from './hook-input.ts';
export {
  type HookCommand,
  type HostSettings,
  planHookSettings,
  type SettingsOptions,
  type SettingsPlan,
} from './hook-settings.ts';
export { type HostSession, hostSessionOf, isHostSession, noteHostSession } from './host-session.ts';
export { defaultPromptNotesPolicy, promptNotes, type PromptNotesPolicy } from './prompt-notes.ts';
export { type RecordedToolUse, recordToolUse, type ToolUseOptions } from './record-tool-use.ts';
export {
  defaultSessionNotesPolicy,
  sessionNotes,
  type SessionNotesPolicy,
} from './session-notes.ts';
export type { ShellCommand } from './shell-command.ts';
export { type ResponseShape, shapeOfResponse } from './tool-shapes.ts';
export { readSettings, settingsText, writeSettings } from './settings-file.ts';
export { type Gauge, readGauge } from './observe/gauge.ts';
export { hostVersionOf } from './host-version.ts';
export { readStatuslineInput, type StatuslineInput } from './statusline-input.ts';
