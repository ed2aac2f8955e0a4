import Fastify from 'fastify';
import { type ZodTypeProvider } from 'fastify-type-provider-zod';
import { describe, expect, it } from 'vitest';
import { answerTogether } from './answer-together.ts';

function makeApp() {
  const app = Fastify().withTypeProvider<ZodTypeProvider>();
  answerTogether(app);
  const sent: string[] = [];
  app.addHook('onResponse', async ({ url }) => {
    sent.push(url);
  });
  app.get('/good', async () => ({ isGood: true }));
  app.post('/change', async () => ({ isGood: true }));
  app.get('/bad', async (_request, reply) => {
    void reply.header('etag', 'two\nlines');
    return { isGood: false };
  });
  return { app, sent };
}

describe('answers of one turn of the loop', () => {
  it('are sent behind it, each as it would be alone', async () => {
    const { app, sent } = makeApp();
    await app.ready();
    const answers = [app.inject('/good'), app.inject('/missing'), app.inject('/good')];
    expect(sent).toEqual([]);
    expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual([
      200, 404, 200,
    ]);
    expect(sent.toSorted()).toEqual(['/good', '/good', '/missing']);
  });

  it('do not wait where something was changed', async () => {
    const { app, sent } = makeApp();
    await app.ready();
    const post = { method: 'POST', url: '/change' } as const;
    await Promise.all([
      app.inject('/good'),
      app.inject(post),
      app.inject('/good'),
      app.inject(post),
    ]);
    expect(sent).toEqual(['/change', '/change', '/good', '/good']);
  });

  it('are sent though one of them cannot be', async () => {
    const { app } = makeApp();
    const answers = [app.inject('/bad'), app.inject('/good')];
    const [bad, good] = await Promise.all(answers);
    expect(bad?.statusCode).toBe(500);
    expect(good?.json()).toEqual({ isGood: true });
  });
});
