/**
 * The program of a process that waits beside a run: if the pipe to it breaks before the run said that it is done, it ends the
 * child with all its descendants and removes the folder of the run. It asks `taskkill` on Windows, /proc or `ps` elsewhere, and
 * ends the child alone where none of them answers. It is handed to `node -e`, so that no file is needed. Arguments: the id of the child, the
 * folder, and the platform, by default this one.
 */
export const watchdogProgram = `
const { execFileSync } = require('node:child_process');
const { readdirSync, readFileSync, rmSync } = require('node:fs');
const [child, folder, platform = process.platform] = process.argv.slice(1);
const endTreeOnWindows = () => {
  try { execFileSync('taskkill', ['/pid', child, '/t', '/f'], { stdio: 'ignore' }); } catch { /* The child is ended below. */ }
};
const parents = () => {
  try {
    return readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).flatMap((name) => {
      try {
        const stat = readFileSync('/proc/' + name + '/stat', 'utf8');
        return [[Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])]];
      } catch { return []; }
    });
  } catch { /* There is no /proc: ps knows. */ }
  try {
    const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
    return rows.trim().split('\\n').map((row) => row.trim().split(/\\s+/).map(Number));
  } catch { return []; }
};
let said = '';
process.stdin.on('data', (chunk) => { said += chunk; });
process.stdin.on('error', () => {});
process.stdin.on('close', () => {
  if (said.includes('done')) process.exit(0);
  if (platform === 'win32') endTreeOnWindows();
  const tree = [Number(child)];
  const pairs = parents();
  for (const parent of tree) {
    for (const [pid, ppid] of pairs) if (ppid === parent && !tree.includes(pid)) tree.push(pid);
  }
  const end = (signal) => {
    for (const pid of tree) {
      try { process.kill(pid, signal); } catch (error) { if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error; }
    }
  };
  end('SIGTERM');
  setTimeout(() => {
    end('SIGKILL');
    if (folder) rmSync(folder, { recursive: true, force: true });
  }, 1500);
});
`;
