import { type ReactNode, useEffect, useState } from 'react';

const name = 'ctx.theme';
type Theme = 'auto' | 'light' | 'dark';
const signs: Readonly<Record<Theme, string>> = { auto: '◐', light: '○', dark: '●' };
const order: Readonly<Record<Theme, Theme>> = { auto: 'light', light: 'dark', dark: 'auto' };

function kept(): Theme {
  const found = localStorage.getItem(name);
  return found === 'light' || found === 'dark' ? found : 'auto';
}

/** Light, dark, or as the machine has it. */
export function ThemeButton(): ReactNode {
  const [theme, setTheme] = useState(kept);
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
    localStorage.setItem(name, theme);
  }, [theme]);
  return (
    <button
      type="button"
      className="theme"
      aria-label={`Theme: ${theme}`}
      onClick={() => {
        setTheme(order[theme]);
      }}
    >
      <span aria-hidden="true">{signs[theme]}</span> {theme}
    </button>
  );
}
