import { Script } from 'node:vm';
import { expect, it } from 'vitest';
import { startServer } from '../test-support/start-server.ts';

it('the reference page is open, comes from this server alone, and shows nothing without a key', async () => {
  const server = await startServer();
  const page = await server.call('/reference');
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const addresses = [...page.text.matchAll(/(?:src|href)="([^"]*)"/g)].map(
    ([, address]) => address,
  );
  expect(addresses).toEqual(['data:,', '/reference/style.css', '/reference/script.js']);
  expect(page.text).not.toMatch(/<script>|<style|style=|\son\w+=/);
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
  const script = await server.call('/reference/script.js');
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(script.text).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval/);
  expect(() => new Script(script.text)).not.toThrow();
  expect((await server.call('/reference/style.css')).status).toBe(200);
  expect((await server.call('/openapi.json')).status).toBe(401);
  await server.stop();
});
