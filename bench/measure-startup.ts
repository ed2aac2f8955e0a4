/**
 * What a start takes beside a bare start of Node, by processor time: the import of libraries, and commands that people and agents wait
 * for. Run: `npm run bench -- startup [rounds] [node]`; the second is another Node's binary. Takes about a minute.
 */
import { fileURLToPath } from 'node:url';
import { packedAdapter } from './overhead/measure-import.ts';
import { compareStarts, importing, type Start } from './startup/compare-starts.ts';

const [rounds = '11', node = process.execPath] = process.argv.slice(2);
const bin = fileURLToPath(new URL('../../apps/cli/dist/bin.cjs', import.meta.url));

const command = (name: string, input?: object): Start => ({
  name: `ctx ${name}`,
  args: [bin, ...name.split(' ')],
  ...(input === undefined ? {} : { input: JSON.stringify(input) }),
});

const toolUse = {
  ...{ session_id: 's', hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_use_id: 't' },
  tool_input: { command: 'npm test' },
  tool_response: { stdout: 'ok', stderr: '', interrupted: false, isImage: false },
};

const starts: readonly Start[] = [
  { name: 'bare node', args: ['--input-type=module', '--eval', '0'] },
  importing('import of the adapter, packed', packedAdapter),
  importing('import of the adapter, parts', import.meta.resolve('@ctx/agent-adapter')),
  importing('import of core', import.meta.resolve('@ctx/core')),
  command('--version'),
  command('hook claude-code', toolUse),
  command('statusline', { session_id: 's' }),
  command('status s'),
];

console.log('| start | processor time, ms | beyond bare node, ms | ratio |');
console.log('| --- | --: | --: | --: |');
for (const cost of compareStarts(starts, { rounds: Number(rounds), node })) {
  const { name, cpuMs, addedMs, ratio } = cost;
  console.log(`| ${name} | ${cpuMs.toFixed(0)} | ${addedMs.toFixed(0)} | ${ratio.toFixed(2)} |`);
}
