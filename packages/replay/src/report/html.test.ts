import fc from 'fast-check';
import { expect, it } from 'vitest';
import { html } from './html.ts';

it('escapes texts, keeps pieces, and joins lists', () => {
  const piece = html`<b title="${'a "quoted" one'}">${'<script>'}</b>`;
  expect(piece.markup).toBe('<b title="a &quot;quoted&quot; one">&lt;script&gt;</b>');
  expect(html`<p>${[piece, 3, '&']}</p>`.markup).toBe(`<p>${piece.markup}3&amp;</p>`);
  expect(html`<p>${"it's"}${'\u202Eevil\u0000'}</p>`.markup).toBe(
    '<p>it&#39;s\uFFFDevil\uFFFD</p>',
  );
});

it('lets no text end an attribute or begin an element', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const inside = html`${text}`.markup;
      expect(inside).not.toMatch(/[<>"']/);
      expect(html`<a title="${text}"></a>`.markup).toBe(`<a title="${inside}"></a>`);
    }),
  );
});
