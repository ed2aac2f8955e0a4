import { isCtxError } from '@ctx/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planHookSettings } from './hook-settings.ts';

const command = { command: 'ctx', args: [] };

const own = {
  permissions: { allow: ['Bash(npm test)'] },
  hooks: {
    PostToolUse: [
      { matcher: 'Write', hooks: [{ type: 'command', command: 'prettier --write .' }] },
    ],
    Notification: [{ hooks: [{ type: 'command', command: 'beep' }] }],
  },
};

function refusalOf(settings: unknown): unknown {
  try {
    return planHookSettings(settings, command);
  } catch (error) {
    return isCtxError(error, 'CTX_INVALID_INPUT') ? 'refused' : error;
  }
}

describe('planHookSettings', () => {
  it('installs a hook for each event, with arguments and never as a line for a shell', () => {
    const { settings, changes } = planHookSettings({}, command);
    expect(Object.keys(settings['hooks'] ?? {})).toEqual([
      'PostToolUse',
      'UserPromptSubmit',
      'SessionStart',
      'PreCompact',
      'Stop',
      'SessionEnd',
    ]);
    expect(settings).toMatchObject({
      hooks: {
        PostToolUse: [
          {
            hooks: [
              { type: 'command', command: 'ctx', args: ['hook', 'claude-code'], timeout: 10 },
            ],
          },
        ],
      },
      statusLine: { type: 'command', command: 'ctx statusline' },
    });
    expect(changes).toHaveLength(7);
  });

  it('keeps everything that is there, and takes back what it added', () => {
    const { settings } = planHookSettings(own, command);
    expect(settings).toMatchObject({ permissions: own.permissions });
    expect(settings['hooks']).toMatchObject({
      PostToolUse: [own.hooks.PostToolUse[0], {}],
      Notification: own.hooks.Notification,
    });
    expect(planHookSettings(settings, command, { action: 'remove' }).settings).toEqual(own);
  });

  it('changes nothing the second time', () => {
    const { settings } = planHookSettings(own, command);
    const again = planHookSettings(settings, command);
    expect(again.changes).toEqual([]);
    expect(again.settings).toEqual(settings);
  });

  it('takes the place of entries of its own that are called in another way', () => {
    const { settings } = planHookSettings(own, { command: '/old/node', args: ['/old/bin.js'] });
    const { settings: moved } = planHookSettings(settings, command);
    expect(JSON.stringify(moved)).not.toContain('/old/');
    expect(moved['hooks']).toEqual(planHookSettings(own, command).settings['hooks']);
  });

  it('leaves a group that holds hooks of others beside ours', () => {
    const beep = { type: 'command', command: 'beep' };
    const ours = { type: 'command', command: 'ctx', args: ['hook', 'claude-code'] };
    const settings = { hooks: { Stop: [{ hooks: [beep, ours] }] } };
    const removed = planHookSettings(settings, command, { action: 'remove' });
    expect(removed.settings).toEqual({ hooks: { Stop: [{ hooks: [beep] }] } });
  });

  it('leaves the hook of another program that is called with the same first word', () => {
    const theirs = { hooks: [{ type: 'command', command: 'lefty', args: ['hook', 'pre-commit'] }] };
    const { settings } = planHookSettings({ hooks: { PostToolUse: [theirs] } }, command);
    const removed = planHookSettings(settings, command, { action: 'remove' });
    expect(removed.settings).toEqual({ hooks: { PostToolUse: [theirs] } });
  });

  it('leaves the status line of somebody else, in both directions', () => {
    const settings = { statusLine: { type: 'command', command: 'my-line.sh' } };
    const { settings: installed } = planHookSettings(settings, command);
    expect(installed['statusLine']).toEqual(settings.statusLine);
    const removed = planHookSettings(installed, command, { action: 'remove' });
    expect(removed.settings).toEqual(settings);
  });

  it('installs no status line that would need quotes', () => {
    const spaced = { command: '/my programs/node', args: ['/a/bin.js'] };
    expect(planHookSettings({}, spaced).settings).not.toHaveProperty('statusLine');
  });

  it('refuses settings of another shape', () => {
    for (const settings of [[], 'x', null, 7, { hooks: [] }, { hooks: { Stop: {} } }]) {
      expect(refusalOf(settings)).toBe('refused');
    }
  });

  it('takes any names of events and members as they are, also those of prototypes', () => {
    const settings: unknown = JSON.parse('{"__proto__":{"x":1},"hooks":{"__proto__":[{"a":1}]}}');
    const { settings: planned } = planHookSettings(settings, command);
    const text = JSON.stringify(planHookSettings(planned, command, { action: 'remove' }).settings);
    expect(text).toBe(JSON.stringify(settings));
    expect(Object.getPrototypeOf(planned)).toBe(Object.prototype);
  });

  it('installing and removing gives back any settings, and installing twice changes nothing', () => {
    const group = fc.record({
      matcher: fc.string(),
      hooks: fc.array(fc.record({ type: fc.constant('command'), command: fc.string() })),
    });
    const name = fc.constantFrom('PostToolUse', 'Stop', 'PreToolUse', 'Other');
    const hooks = fc.dictionary(name, fc.array(group, { minLength: 1 }), {
      noNullPrototype: true,
      minKeys: 1,
    });
    fc.assert(
      fc.property(fc.record({ model: fc.string(), hooks }), (settings) => {
        const installed = planHookSettings(settings, command);
        expect(planHookSettings(installed.settings, command).changes).toEqual([]);
        const removed = planHookSettings(installed.settings, command, { action: 'remove' });
        expect(removed.settings).toEqual(settings);
      }),
      { numRuns: 200 },
    );
  });
});
