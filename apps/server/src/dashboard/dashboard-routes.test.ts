import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import underPressure from '@fastify/under-pressure';
import Fastify from 'fastify';
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../app.ts';
import { problemOf } from '../problems/problem-of.ts';
import { dashboardRoutes } from './dashboard-routes.ts';

const folder = mkdtempSync(join(tmpdir(), 'ctx-page-'));

function appOver(page: string): App {
  const app: App = Fastify().withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setErrorHandler((error, _request, reply) =>
    reply.code(problemOf(error).problem.status).send(''),
  );
  dashboardRoutes(app, page);
  return app;
}

beforeAll(() => {
  mkdirSync(join(folder, 'page/assets'), { recursive: true });
  writeFileSync(join(folder, 'page/index.html'), '<!doctype html><title>ctx</title>');
  writeFileSync(join(folder, 'page/assets/index-abc.js'), 'run()');
  writeFileSync(join(folder, 'secret.js'), 'secret');
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('the page', () => {
  it('answers at the address of every view', async () => {
    const app = appOver(join(folder, 'page'));
    for (const url of ['/', '/sessions/a/timeline', '/agents/x/items', '/outputs', '/statistics']) {
      const answer = await app.inject({ url });
      expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([
        200,
        'text/html; charset=utf-8',
        '<!doctype html><title>ctx</title>',
      ]);
    }
  });

  it('gives assets by their exact name, to be kept for good, and nothing beside them', async () => {
    const app = appOver(join(folder, 'page'));
    const asset = await app.inject({ url: '/assets/index-abc.js' });
    expect(asset.body).toBe('run()');
    expect(asset.headers['cache-control']).toContain('immutable');
    for (const url of ['/assets/..%2f..%2fsecret.js', '/assets/none.js', '/assets/index.html']) {
      expect((await app.inject({ url })).statusCode).toBe(404);
    }
  });

  it('comes whole from a server that is overloaded: half of it would be blank', async () => {
    const app: App = Fastify().withTypeProvider<ZodTypeProvider>();
    app.setValidatorCompiler(validatorCompiler);
    await app.register(underPressure, {
      healthCheck: () => Promise.resolve(false),
      healthCheckInterval: 60_000,
    });
    dashboardRoutes(app, join(folder, 'page'));
    app.get('/other', () => 'other');
    expect((await app.inject({ url: '/other' })).statusCode).toBe(503);
    for (const url of ['/', '/sessions/a/timeline', '/assets/index-abc.js'])
      expect((await app.inject({ url })).statusCode).toBe(200);
  });

  it('is packed where the browser takes that', async () => {
    const app = appOver(join(folder, 'page'));
    const headers = { 'accept-encoding': 'gzip, br' };
    expect((await app.inject({ url: '/', headers })).headers['content-encoding']).toBe('gzip');
  });

  it('says what to do where it was not built', async () => {
    const answer = await appOver(join(folder, 'nowhere')).inject({ url: '/' });
    expect([answer.statusCode, answer.body]).toEqual([200, expect.stringContaining('not built')]);
  });
});
