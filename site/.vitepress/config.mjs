import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { defineConfig } from 'vitepress';
import { members } from '../../scripts/setup/workspace.mjs';
import { root, targetOf } from '../pages.mjs';

const docs = readFileSync(path.join(root, 'docs/README.md'), 'utf8');
const pages = [...docs.matchAll(/^\| \[([^\]]+)\]\(([^)]+)\)/gm)].map(([, text, link]) => ({
  text,
  link: `/docs/${link.replace(/README\.md$/, '').replace(/\.md$/, '')}`,
}));
const packages = members('packages').map(({ name, manifest }) => ({
  text: manifest.name,
  link: `/packages/${name}/`,
}));

// Pages lie outside of this folder, where Vue can't be found by itself.
const vue = path.dirname(createRequire(import.meta.url).resolve('vue/package.json'));

export default defineConfig({
  vite: {
    resolve: { alias: [{ find: /^vue(?=$|\/)/, replacement: vue }] },
    ssr: { noExternal: ['vue'] },
  },
  title: 'ctx',
  description: 'Context management for LLM agents',
  srcDir: root,
  srcExclude: [
    '**/{node_modules,dist,etc,page,coverage}/**',
    '**/.*/**',
    'bench/rivals/**',
    '**/CHANGELOG.md',
    '**/test-support/**',
  ],
  outDir: path.join(root, 'site/dist'),
  cacheDir: path.join(root, 'site/node_modules/.cache/vitepress'),
  // No page of the site loads anything from elsewhere.
  head: [],
  rewrites: (page) => page.replace(/^site\/(api)\//, '$1/').replace(/README\.md$/, 'index.md'),
  markdown: {
    html: false,
    config: (markdown) => markdown.core.ruler.push('links-of-the-repository', rewriteLinks),
  },
  themeConfig: {
    nav: [
      { text: 'Docs', link: '/docs/' },
      { text: 'API', link: '/api/' },
    ],
    sidebar: [
      { text: 'Docs', items: pages },
      { text: 'Packages', items: packages },
    ],
    outline: [2, 3],
    search: { provider: 'local' },
  },
});

/** Links in the repository lead to folders and source files too; on the site these have pages of their own. */
function rewriteLinks(state) {
  const page = state.env.relativePath;
  const original = state.env.path === undefined ? page : path.relative(root, state.env.path);
  for (const token of state.tokens.flatMap(({ children }) => children ?? [])) {
    if (token.type !== 'link_open') continue;
    const target = targetOf(original, token.attrGet('href') ?? '');
    if (target !== undefined) token.attrSet('href', target.href);
  }
}
