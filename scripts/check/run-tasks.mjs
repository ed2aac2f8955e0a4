import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { quietEnvironment, run } from '../setup/processes.mjs';
import { readJson, root } from '../setup/workspace.mjs';

const turbo = path.join(root, 'node_modules/turbo/bin/turbo');
const summaries = path.join(root, '.turbo/runs');

/**
 * Runs tasks of turbo.json in every package that has them, two at a time, and goes on after a failure: one run tells all. What a task
 * prints is shown if it fails.
 * Returns each task with its exit code (`undefined` if it did not run), its seconds and whether its result was known already.
 */
export async function runTasks(tasks, { force = false, limitMs }) {
  rmSync(summaries, { recursive: true, force: true });
  const args = ['run', ...tasks, '--continue=always', '--concurrency=2', '--summarize'];
  args.push('--output-logs=errors-only', '--ui=stream', '--no-update-notifier');
  if (force) args.push('--force');
  const env = { ...quietEnvironment(), NO_COLOR: '1' };
  delete env.FORCE_COLOR;
  await run(process.execPath, [turbo, ...args], { env, timeout: Math.max(1, Math.floor(limitMs)) });
  const [summary] = readSummaries();
  return (summary?.tasks ?? []).map((task) => ({
    ...task,
    exitCode: task.execution?.exitCode,
    seconds: ((task.execution?.endTime ?? 0) - (task.execution?.startTime ?? 0)) / 1000,
    isCached: task.cache?.status === 'HIT',
  }));
}

function readSummaries() {
  try {
    return readdirSync(summaries).map((name) => readJson(path.join(summaries, name)));
  } catch {
    return [];
  }
}
