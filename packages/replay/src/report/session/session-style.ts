/** The look of a shared session, in light and dark. No file from elsewhere is needed. */
export const sessionStyle = `
:root{color-scheme:light dark;--back:#fff;--text:#1c2128;--soft:#57606a;--line:#d8dee4;--card:#f6f8fa;--mark:#0a5fd6}
@media (prefers-color-scheme:dark){:root{--back:#0f141a;--text:#e6edf3;--soft:#9aa6b2;--line:#2d353f;--card:#171d25;--mark:#6cb2ff}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:60rem;padding:1.5rem clamp(.75rem,3vw,2rem) 4rem;background:var(--back);color:var(--text);font:15px/1.5 system-ui,sans-serif}
h1{font-size:1.4rem;margin:0 0 .25rem;overflow-wrap:anywhere}h2{font-size:1.15rem;margin:2rem 0 .5rem}h3{font-size:.95rem;margin:1.25rem 0 .25rem;color:var(--mark)}
p{max-width:75ch;margin:.4rem 0;overflow-wrap:anywhere}.lead,.soft,.left,caption{color:var(--soft)}.left{font-size:.88rem}
pre{margin:.25rem 0;white-space:pre-wrap;overflow-wrap:anywhere;font:inherit}details pre{font:13px/1.45 ui-monospace,monospace;background:var(--card);border:1px solid var(--line);border-radius:6px;padding:.6rem}
.out pre,.out summary{color:var(--soft)}.out{border-left:3px solid var(--line);padding-left:.6rem}
summary{cursor:pointer;padding:.3rem 0;overflow-wrap:anywhere}
summary:focus-visible,.wide:focus-visible{outline:2px solid var(--mark);outline-offset:2px}
.wide{overflow-x:auto;margin:.5rem 0;border:1px solid var(--line);border-radius:8px}
table{border-collapse:collapse;width:100%;font-size:.88rem;font-variant-numeric:tabular-nums}
caption{text-align:left;padding:.5rem .75rem}
th,td{padding:.3rem .75rem;text-align:right;border-top:1px solid var(--line);white-space:nowrap}thead th{color:var(--soft);white-space:normal}th:first-child{text-align:left}
figure{margin:0;padding:1rem;background:var(--card);border:1px solid var(--line);border-radius:8px}figcaption{color:var(--soft);font-size:.88rem}
svg{display:block;width:100%;height:auto}.size{fill:none;stroke:var(--mark);stroke-width:1.5}.limit{stroke:var(--soft);stroke-dasharray:4 4}
.flush{fill:var(--mark)}.compaction{fill:none;stroke:var(--mark);stroke-width:2}.tick{font:11px system-ui,sans-serif;fill:var(--soft)}
`;
