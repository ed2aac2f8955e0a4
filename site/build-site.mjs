import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Application } from 'typedoc';
import { build } from 'vitepress';
import { publicPackages } from '../scripts/setup/workspace.mjs';
import { root, targetOf, trackedPages } from './pages.mjs';

/** Builds the documentation site into site/dist: the pages of the repository and the API. Fails on a dead link. */
const site = path.join(root, 'site');
const started = performance.now();

say('writing the API pages');
await writeApi();
say('writing the sources that pages link to');
writeSources();
say('building the site');
await build(site);
say(`built in ${Math.round((performance.now() - started) / 1000)} s: site/dist/index.html`);

async function writeApi() {
  rmSync(path.join(site, 'api'), { recursive: true, force: true });
  const app = await Application.bootstrapWithPlugins({
    entryPoints: entrySources(),
    tsconfig: path.join(site, 'tsconfig.api.json'),
    plugin: ['typedoc-plugin-markdown'],
    outputs: [{ name: 'markdown', path: path.join(site, 'api') }],
    basePath: root,
    name: 'API',
    readme: 'none',
    entryFileName: 'index.md',
    disableSources: true,
    excludeExternals: true,
    excludePrivate: true,
    skipErrorChecking: true,
    hidePageHeader: true,
    hideBreadcrumbs: true,
    sanitizeComments: true,
    useHTMLEncodedBrackets: true,
    validation: false,
    logLevel: 'Error',
  });
  const project = await app.convert();
  if (project === undefined) throw new Error('typedoc could not read the sources');
  await app.generateOutputs(project);
  if (app.logger.hasErrors()) throw new Error('typedoc could not write the API pages');
}

function entrySources() {
  return publicPackages()
    .filter(({ folder }) => folder.includes(`${path.sep}packages${path.sep}`))
    .flatMap(({ folder, manifest }) =>
      Object.values(manifest.exports ?? {})
        .map((target) => target['@ctx/source'])
        .filter((source) => source !== undefined)
        .map((source) => path.join(folder, source)),
    );
}

/** A page for each file or folder that a page links to and that is no page itself. */
function writeSources() {
  rmSync(path.join(site, 'sources'), { recursive: true, force: true });
  for (const page of trackedPages()) {
    const text = readFileSync(path.join(root, page), 'utf8');
    for (const [, href] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      const target = targetOf(page, href);
      if (target?.source !== undefined) writePage(target.href, sourcePage(target.source));
      if (target?.folder !== undefined) writePage(target.href, folderPage(target.folder));
    }
  }
}

function sourcePage(file) {
  const text = readFileSync(path.join(root, file), 'utf8');
  const language = path.extname(file).slice(1);
  return `# ${file}\n\n\`\`\`\`${language}\n${text}\n\`\`\`\`\n`;
}

function folderPage(folder) {
  const names = readdirSync(path.join(root, folder)).filter((name) => name.endsWith('.md'));
  const lines = names.map((name) => {
    const [title] = readFileSync(path.join(root, folder, name), 'utf8').split('\n');
    return `- [${title.replace(/^#\s*/, '')}](/${folder.replace(/\/$/, '')}/${name})`;
  });
  return `# ${folder}\n\n${lines.join('\n')}\n`;
}

function writePage(href, text) {
  const file = path.join(root, href.replace(/#.*$/, ''));
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function say(text) {
  console.error(`site: ${text}`);
}
