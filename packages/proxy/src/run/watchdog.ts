/** Names a run, and those that it was started in, in the environment of everything that its agent starts. */
export const runMark = 'CTX_RUN';

/**
 * The program of a process that waits beside a run. It reads lines: a signal goes on to the child's descendants in its process group, as
 * from a terminal; `ended` says that the child ended after a signal, `done` that it ended by itself. If the pipe breaks before either, and
 * 2.5 seconds after SIGTERM or SIGHUP, it ends the child with all that came of it, also what was given another parent: that is found by
 * the mark in its environment where /proc shows it. Then it deletes the folder of the run. It asks `taskkill` on Windows, /proc or `ps`
 * elsewhere, and ends the child alone where none of them answers. It is handed to `node -e`, so that no file is needed. Arguments: the id
 * of the child, the folder or nothing, the mark, and the platform, by default this one.
 */
export const watchdogProgram = `
const { execFileSync } = require('node:child_process');
const { readdirSync, readFileSync, rmSync } = require('node:fs');
const [child, folder, mark, platform = process.platform] = process.argv.slice(1);
const processIn = (name) => {
  try {
    const stat = readFileSync('/proc/' + name + '/stat', 'utf8');
    const [, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ').map(Number);
    let isMarked = false;
    try { isMarked = readFileSync('/proc/' + name + '/environ', 'latin1').includes(mark); } catch { /* It is another user's. */ }
    return [{ pid: Number(name), parent, group, isMarked }];
  } catch { return []; }
};
const processes = () => {
  try { return readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).flatMap(processIn); } catch { /* There is no /proc: ps knows. */ }
  try {
    const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid='], { encoding: 'utf8' }).trim().split('\\n');
    return rows.map((row) => row.trim().split(/\\s+/).map(Number)).map(([pid, parent, group]) => ({ pid, parent, group }));
  } catch { return []; }
};
const tree = new Set();
let lookedAt = 0;
const look = () => {
  // What ended is remembered for its children alone, and not for long: the system gives its id to another.
  if (Date.now() - lookedAt > 5000) tree.clear();
  lookedAt = Date.now();
  tree.add(Number(child));
  const all = processes().filter(({ pid }) => pid !== process.pid);
  for (let before = 0; before < tree.size; ) {
    before = tree.size;
    for (const { pid, parent, isMarked } of all) if (isMarked || tree.has(parent)) tree.add(pid);
  }
  return all.filter(({ pid }) => tree.has(pid));
};
const send = (pid, signal) => {
  try { process.kill(pid, signal); } catch (error) { if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error; }
};
const passOn = (signal) => {
  const found = look();
  const inFront = found.find(({ pid }) => pid === Number(child))?.group;
  for (const { pid, group } of found) if (pid !== Number(child) && group === inFront) send(pid, signal);
  if (signal === 'SIGTERM' || signal === 'SIGHUP') setTimeout(sweep, 2500).unref();
};
const endAll = (signal) => {
  look();
  for (const pid of tree) send(pid, signal);
};
let isSweeping = false;
const sweep = () => {
  if (isSweeping) return;
  isSweeping = true;
  if (platform === 'win32') {
    try { execFileSync('taskkill', ['/pid', child, '/t', '/f'], { stdio: 'ignore' }); } catch { /* The child is ended below. */ }
  }
  endAll('SIGTERM');
  setTimeout(() => endAll('SIGKILL'), 1500);
  setTimeout(() => { // Once more, for what was started meanwhile.
    endAll('SIGKILL');
    if (folder) rmSync(folder, { recursive: true, force: true });
    process.exit(0);
  }, 1800);
};
let said = '';
process.stdin.on('data', (chunk) => {
  const lines = (said + chunk).split('\\n');
  said = lines.pop();
  for (const line of lines) {
    if (line === 'done') process.exit(0);
    if (line === 'ended') sweep();
    else passOn(line);
  }
});
process.stdin.on('error', () => {});
process.stdin.on('close', sweep);
`;
