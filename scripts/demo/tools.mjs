import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, normalize, relative } from 'node:path';

/** Longest result of a tool, characters; agents cut there, too. */
const maxResultCharacters = 60_000;

/**
 * The four tools of the recorded agent, real ones, working in `root`. Each answers with text.
 * What the machine adds (paths, durations) is taken out, so that two recordings of one commit differ little.
 */
export function createTools(root) {
  const inside = (path) => {
    const full = normalize(join(root, path));
    if (relative(root, full).startsWith('..'))
      throw new Error(`${path} lies outside of the repository`);
    return full;
  };
  const clean = (text) =>
    text
      .replaceAll(root, '/repo')
      .replace(/\u001b\[[0-9;]*m/g, '')
      .slice(0, maxResultCharacters);
  const run = (command) => {
    const result = spawnSync('bash', ['-c', command], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', npm_config_loglevel: 'error' },
    });
    const text = clean(`${result.stdout}${result.stderr}`.trimEnd());
    return { text: `${text}\n[exit status ${result.status}]`, isError: result.status !== 0 };
  };
  return {
    Read: ({ file_path }) => {
      const lines = readFileSync(inside(file_path), 'utf8').split('\n');
      const numbered = lines.map((line, index) => `${String(index + 1).padStart(6)}→${line}`);
      return { text: numbered.join('\n'), isError: false };
    },
    Grep: ({ pattern, path }) => {
      const result = spawnSync(
        'grep',
        ['-rn', '--include=*.ts', '--include=*.md', '-e', pattern, path],
        {
          cwd: root,
          encoding: 'utf8',
          maxBuffer: 64 * 1024 * 1024,
        },
      );
      const kept = result.stdout.split('\n').filter((line) => !/node_modules|\/dist\//.test(line));
      return { text: clean(kept.join('\n').trimEnd()) || 'No matches', isError: false };
    },
    Edit: ({ file_path, old_string, new_string }) => {
      const path = inside(file_path);
      const text = readFileSync(path, 'utf8');
      const found = text.split(old_string).length - 1;
      if (found !== 1) {
        return {
          text: `old_string stands ${found} times in ${file_path}, not once`,
          isError: true,
        };
      }
      writeFileSync(
        path,
        text.replace(old_string, () => new_string),
      );
      return { text: `${file_path} was changed`, isError: false };
    },
    Bash: ({ command }) => run(command),
  };
}
