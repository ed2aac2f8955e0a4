import type { ReactNode } from 'react';

/** Signs that are not seen, or that turn the direction of what is seen. */
const unseen =
  // eslint-disable-next-line no-control-regex -- they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Text with a visible name in place of each sign that cannot be seen. */
export function visibleText(text: string): string {
  return text.replace(unseen, (sign) => {
    const code = sign.codePointAt(0) ?? 0;
    return code === 13 ? '' : `⟨${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}

interface TextProps {
  readonly text: string;
  readonly label: string;
}

/** Renders untrusted text as a text node, never as HTML. */
export function PlainText({ text, label }: TextProps): ReactNode {
  return (
    <pre className="text" tabIndex={0} aria-label={label} role="region">
      {visibleText(text)}
    </pre>
  );
}

/** How it begins, on one line, for lists. */
export function firstLine(text: string): string {
  const line = text.slice(0, 400).trim().split(/\s+/).join(' ');
  return visibleText(line.length > 200 ? `${line.slice(0, 200)}…` : line);
}
