import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { quietEnvironment } from '../setup/processes.mjs';
import { root } from '../setup/workspace.mjs';
import { execute } from './execute.mjs';
import { countsOf } from './test-counts.mjs';

const lanes = 2;
const env = { ...quietEnvironment(), NO_COLOR: '1' };
delete env.FORCE_COLOR;

/**
 * Runs the steps, two at a time where they allow it, and goes on after a failure: one run tells all.
 * Each step is named when it starts and when it ends; what it prints is shown only when it fails. A step whose need
 * failed is not run and counts as failed.
 */
export async function runSteps(steps) {
  const results = new Map();
  const running = new Map();
  const isSettled = (name) => results.has(name) || !steps.some((step) => step.name === name);
  const isReady = (step) =>
    !results.has(step.name) && !running.has(step.name) && (step.needs ?? []).every(isSettled);

  while (results.size < steps.length) {
    const step = steps.find(isReady);
    if (step !== undefined && hasRoom(step, running)) {
      running.set(step.name, { step, promise: settle(step, results) });
      continue;
    }
    const result = await Promise.race([...running.values()].map(({ promise }) => promise));
    running.delete(result.name);
    results.set(result.name, result);
  }
  return steps.map((step) => results.get(step.name));
}

function hasRoom(step, running) {
  if (running.size === 0) return true;
  const isSomeoneAlone = [...running.values()].some((other) => other.step.isAlone);
  return running.size < lanes && !step.isAlone && !isSomeoneAlone;
}

async function settle(step, results) {
  const broken = (step.needs ?? []).find(
    (need) => (results.get(need)?.outcome ?? 'passed') !== 'passed',
  );
  if (broken !== undefined) {
    console.log(`– ${step.name}: not run, ${broken} failed`);
    return { name: step.name, outcome: 'not run', seconds: 0 };
  }
  if (step.report !== undefined) prepareReport(step.report);
  console.log(`… ${step.name}`);
  const startedAt = performance.now();
  const { exitCode, output } = await execute(process.execPath, step.command, { cwd: root, env });
  const seconds = (performance.now() - startedAt) / 1000;
  const counts = countsOf(step, output);
  const outcome = exitCode === 0 ? 'passed' : 'failed';
  if (outcome === 'failed') {
    console.log(`✗ ${step.name} (${seconds.toFixed(1)} s)\n${indent(output)}`);
    if (step.fix !== undefined) console.log(`  → ${step.fix}`);
  } else {
    console.log(`✓ ${step.name} (${seconds.toFixed(1)} s)`);
  }
  return { name: step.name, outcome, seconds, ...counts };
}

/** A report of an earlier run must not speak for this one. */
function prepareReport(file) {
  mkdirSync(path.dirname(file), { recursive: true });
  rmSync(file, { force: true });
}

function indent(text) {
  return text.trimEnd().replaceAll(/^/gm, '  ');
}
