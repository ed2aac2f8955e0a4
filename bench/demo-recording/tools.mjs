import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, normalize, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Longest result of a tool, characters; agents cut there, too. */
const maxResultCharacters = 60_000;

/** Runs a program in `root` without colours; answers what it printed and how it ended. */
function runIn(root, file, args) {
  return spawnSync(file, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', npm_config_loglevel: 'error' },
  });
}

/**
 * The file that `path` names below `root`.
 * @throws a plain Error where it lies outside.
 */
function inside(root, path) {
  const full = normalize(join(root, path));
  if (relative(root, full).startsWith('..'))
    throw new Error(`${path} lies outside of the repository`);
  return full;
}

/** Text without what the machine adds, cut where agents cut. */
function clean(root, text) {
  return stripVTControlCharacters(text.replaceAll(root, '/repo')).slice(0, maxResultCharacters);
}

function read(root, { file_path }) {
  const lines = readFileSync(inside(root, file_path), 'utf8').split('\n');
  const numbered = lines.map((line, index) => `${String(index + 1).padStart(6)}→${line}`);
  return { text: numbered.join('\n'), isError: false };
}

function grep(root, { pattern, path }) {
  const args = ['-rn', '--include=*.ts', '--include=*.md', '-e', pattern, path];
  const { stdout } = runIn(root, 'grep', args);
  const kept = stdout.split('\n').filter((line) => !/node_modules|\/dist\//.test(line));
  return { text: clean(root, kept.join('\n').trimEnd()) || 'No matches', isError: false };
}

function edit(root, { file_path, old_string, new_string }) {
  const path = inside(root, file_path);
  const text = readFileSync(path, 'utf8');
  const found = text.split(old_string).length - 1;
  if (found !== 1) {
    return { text: `old_string stands ${found} times in ${file_path}, not once`, isError: true };
  }
  writeFileSync(
    path,
    text.replace(old_string, () => new_string),
  );
  return { text: `${file_path} was changed`, isError: false };
}

function bash(root, { command }) {
  const { stdout, stderr, status } = runIn(root, 'bash', ['-c', command]);
  const text = clean(root, `${stdout}${stderr}`.trimEnd());
  return { text: `${text}\n[exit status ${status}]`, isError: status !== 0 };
}

/**
 * The four tools of the recorded agent, real ones, working in `root`. Each answers with text.
 * What the machine adds (paths, colours) is taken out, so that two recordings of one commit differ little.
 */
export function createTools(root) {
  return {
    Read: (input) => read(root, input),
    Grep: (input) => grep(root, input),
    Edit: (input) => edit(root, input),
    Bash: (input) => bash(root, input),
  };
}
