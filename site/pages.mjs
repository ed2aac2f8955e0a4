import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout: pages keep their places in it, so that links between them work on the site and in an editor. */
export const root = fileURLToPath(new URL('..', import.meta.url));

const isInternal = /^(\.changeset|site\/(api|sources))\/|\/etc\/|CHANGELOG\.md$/;

/** Returns the pages that are tracked by git, relative to the checkout. API reports are left out. */
export function trackedPages() {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  return listed.split('\n').filter((page) => page !== '' && !isInternal.test(page));
}

/**
 * Returns where a link of `page` leads on the site: a folder to its README, a file that is no page to its source.
 * Returns `undefined` for links that stay as they are.
 */
export function targetOf(page, href) {
  if (/^([a-z]+:|#|\/)/i.test(href) || href === '') return undefined;
  const [file, hash] = href.split('#');
  const target = path.posix.join(path.posix.dirname(page), decodeURI(file));
  const full = path.join(root, target);
  if (!existsSync(full)) return undefined;
  const suffix = hash === undefined ? '' : `#${hash}`;
  if (statSync(full).isDirectory()) return folderTarget(target, suffix);
  if (/\.(png|svg)$/.test(target)) return undefined;
  if (target.endsWith('.md')) return undefined;
  return { source: target, href: `/site/sources/${target}.md${suffix}` };
}

function folderTarget(target, suffix) {
  const readme = path.posix.join(target, 'README.md');
  if (existsSync(path.join(root, readme))) return { href: `/${readme}${suffix}` };
  const index = path.posix.join(target, 'index.md');
  return { folder: target, href: `/site/sources/${index}${suffix}` };
}
