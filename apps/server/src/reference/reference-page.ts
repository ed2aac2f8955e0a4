/** The page that shows the document of the server. It holds nothing of it: its script reads `/openapi.json` with a key. */
export const referencePage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>ctx: reference of the server</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/reference/style.css">
<script src="/reference/script.js" defer></script>
<h1>ctx</h1>
<p id="state" role="status">Reading the document.</p>
<p><label>Key (scope read) <input id="key" type="password" autocomplete="off"></label>
<button id="open" type="button">Open</button></p>
<p><label>Find <input id="find" type="search"></label></p>
<main id="routes"></main>
<noscript>The document is at /openapi.json.</noscript>
</html>
`;

/** How it looks, in light and dark. */
export const referenceStyle = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; }
h2 { border-bottom: 1px solid; margin-top: 2rem; text-transform: capitalize; }
summary { cursor: pointer; padding: 0.2rem 0; }
code, pre, .method { font-family: ui-monospace, monospace; }
.method { display: inline-block; font-weight: bold; width: 4.5rem; }
.scope { border: 1px solid; border-radius: 0.5rem; font-size: 0.8rem; margin-left: 0.5rem; padding: 0 0.4rem; }
pre { overflow-x: auto; padding: 0.5rem; border: 1px solid; white-space: pre-wrap; }
table { border-collapse: collapse; }
td, th { border: 1px solid; padding: 0.2rem 0.5rem; text-align: left; vertical-align: top; }
[hidden] { display: none; }
`;
