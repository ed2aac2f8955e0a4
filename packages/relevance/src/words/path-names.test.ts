import { describe, expect, it } from 'vitest';
import { defaultRelevancePolicy } from '../select/relevance-policy.ts';
import { namedFiles, namedShare, pathNames } from './path-names.ts';

const share = (prompt: string, path: string): number =>
  namedShare(pathNames(path), namedFiles(prompt), defaultRelevancePolicy);

describe('named files', () => {
  it('is 1 where the prompt writes the file with its folder', () => {
    expect(
      share('see strategy/commit_git.go:37.. please', '/home/dev/cli/strategy/commit_git.go'),
    ).toBe(1);
    expect(share('in C:\\work\\Strategy\\Commit.go', 'strategy/commit.go')).toBe(1);
  });

  it('is .9 for the file name alone, in any letter case', () => {
    expect(share('read Theme.TS in full', 'src/theme/theme.ts')).toBe(0.9);
    expect(share('is it in theme.ts?', 'src/theme/theme.ts')).toBe(0.9);
  });

  it('is .6 for the name without its extension', () => {
    expect(
      share('port user-message-selector to the theme system', 'src/tui/user-message-selector.ts'),
    ).toBe(0.6);
  });

  it('is .9 where another folder stands before the file name', () => {
    expect(share('look at other/theme.ts', 'src/theme/theme.ts')).toBe(0.9);
  });

  it('is 0 for a part of a name', () => {
    expect(share('theme', 'src/theme-selector.ts')).toBe(0);
    expect(share('', 'src/theme-selector.ts')).toBe(0);
  });

  it('knows hidden files and files without extension by their whole name', () => {
    expect(share('open .gitignore', '.gitignore')).toBe(0.9);
    expect(share('open the Makefile', 'build/Makefile')).toBe(0.9);
  });

  it('takes a full stop for the end of the sentence', () => {
    expect(share('I changed theme.ts. And more.', 'src/theme.ts')).toBe(0.9);
  });
});
