/** The look of the report, in light and dark. No file from elsewhere is needed. */
export const reportStyle = `
:root{color-scheme:light dark;--back:#fff;--text:#1c2128;--soft:#57606a;--line:#d8dee4;--card:#f6f8fa;--ctx:#0a5fd6;--recipe:#b35900;--rival:#6e7781;--none:#6e7781;--bound:#8250df}
@media (prefers-color-scheme:dark){:root{--back:#0f141a;--text:#e6edf3;--soft:#9aa6b2;--line:#2d353f;--card:#171d25;--ctx:#6cb2ff;--recipe:#f0a458;--rival:#9aa6b2;--none:#9aa6b2;--bound:#c4a1ff}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:84rem;padding:1.5rem clamp(.75rem,3vw,2rem) 4rem;background:var(--back);color:var(--text);font:15px/1.5 system-ui,sans-serif}
h1{font-size:1.5rem;margin:0 0 .25rem}h2{font-size:1.15rem;margin:2.25rem 0 .5rem}
p{max-width:70ch;margin:.4rem 0}.lead,small,figcaption,caption{color:var(--soft)}
figcaption strong{color:var(--text);display:block}
.charts{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,32rem),1fr))}
figure{overflow-x:auto}figure>svg{min-width:27rem}figure,.aid{margin:0;padding:1rem;background:var(--card);border:1px solid var(--line);border-radius:8px}
.aid h3{font-size:1rem;margin:0 0 .5rem}
figcaption{font-size:.9rem;min-height:3.1em;margin-bottom:.4rem}svg{display:block;width:100%;height:auto}
.key{margin:0 0 1rem;padding:0;list-style:none;font-size:.95rem}
.key li{display:flex;align-items:center;gap:.5rem;margin:.3rem 0}.key svg{width:20px;height:20px}
.lead-line{stroke:var(--soft);stroke-width:.8}
.grid{stroke:var(--line);stroke-width:1}
.tick,.axis,.name{font:11px system-ui,sans-serif;fill:var(--soft)}.axis{font-size:12px}
.name{font-size:11.5px;fill:var(--text);paint-order:stroke;stroke:var(--card);stroke-width:3px}
.name.ctx{font-weight:700;fill:var(--ctx)}
.mark{stroke:var(--card);stroke-width:1.5}
.mark.ctx{fill:var(--ctx)}.mark.recipe{fill:var(--recipe)}.mark.rival{fill:var(--rival)}.mark.bound{fill:var(--bound)}
.mark.none{fill:var(--card);stroke:var(--none);stroke-width:2}
.path{fill:none;stroke-width:2}.path.ctx{stroke:var(--ctx)}.path.recipe{stroke:var(--recipe);stroke-dasharray:5 4}
.path.bound{stroke:var(--bound);stroke-width:1.5;stroke-dasharray:2 4}
.wide{overflow-x:auto;margin:.75rem 0;border:1px solid var(--line);border-radius:8px}
.wide:focus-visible,summary:focus-visible{outline:2px solid var(--ctx);outline-offset:2px}
table{border-collapse:collapse;width:100%;font-size:.85rem;font-variant-numeric:tabular-nums}
caption{text-align:left;padding:.55rem .75rem;font-size:.88rem}
th,td{padding:.35rem .75rem;text-align:right;white-space:nowrap;border-top:1px solid var(--line)}
thead th{font-weight:600;color:var(--soft);background:var(--card)}
th:first-child{text-align:left;position:sticky;left:0;background:var(--card)}tbody th{font-weight:600}
abbr{text-decoration:underline dotted;text-underline-offset:3px;cursor:help}
details{border-bottom:1px solid var(--line)}summary{padding:.45rem .25rem;cursor:pointer;overflow-wrap:anywhere}
details p{padding:0 .25rem;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem;margin:.5rem 0}dt{font-weight:600}dd{margin:0}
@media (max-width:40rem){dl{display:block}dd{margin:0 0 .4rem}}
@media print{body{max-width:none}.wide{overflow:visible}}
`;
