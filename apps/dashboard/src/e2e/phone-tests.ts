import { it } from 'vitest';
import type { World } from './test-support/world.ts';

const viewport = { width: 390, height: 780 };

/** Targets that are less than 24 pixels wide or high. Links within a sentence may be as high as its lines. */
function smallTargets(): string[] {
  const all = document.querySelectorAll(
    'a, button, input, select, summary, textarea, [role="button"]',
  );
  return [...all].flatMap((target) => {
    const { width, height } = (target.closest('label') ?? target).getBoundingClientRect();
    if (width === 0 || height === 0 || target.matches('.skip, p a, li a')) return [];
    const name = target.getAttribute('aria-label') ?? target.textContent.slice(0, 40);
    return Math.min(width, height) < 24
      ? [`${target.tagName} ${name} ${Math.round(width)}×${Math.round(height)}`]
      : [];
  });
}

/** Texts of rows that run into the text before them. */
function touchingTexts(): string[] {
  const boxOf = (cell: Element): DOMRect => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return range.getBoundingClientRect();
  };
  return [...document.querySelectorAll('tbody td + td')].flatMap((cell) => {
    const before = cell.previousElementSibling;
    if (before === null || before.matches('.clip') || cell.textContent.trim() === '') return [];
    const [left, right] = [boxOf(before), boxOf(cell)];
    const isBeside = left.width > 0 && right.width > 0 && left.top < right.bottom;
    return isBeside && left.right > right.left
      ? [`${before.textContent.slice(0, 20)} | ${cell.textContent.slice(0, 20)}`]
      : [];
  });
}

/** Cells of rows with text that have less room than a word needs. */
function squeezedCells(): string[] {
  const cells = document.querySelectorAll('[data-row] > *, tbody td');
  return [...cells].flatMap((cell) => {
    const { width } = cell.getBoundingClientRect();
    const text = cell.textContent.trim();
    if (width === 0 || text.length < 6) return [];
    return width < 40 ? [`${text.slice(0, 40)} ${Math.round(width)}`] : [];
  });
}

/** Focuses each row that there is, and names those that the header covers then. */
function coveredRows(): string[] {
  const bottom = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')].slice(0, 60);
  return [...rows, ...rows.toReversed()].flatMap((row) => {
    row.focus();
    const { top } = row.getBoundingClientRect();
    return top < bottom
      ? [`${row.textContent.slice(0, 40)} ${Math.round(top)} < ${Math.round(bottom)}`]
      : [];
  });
}

/** Rows of long lists that do not begin where the one before ends: they have another height than the list thinks. */
function displacedRows(): string[] {
  return [...document.querySelectorAll('.virtual')]
    .flatMap((list) => {
      const rows = [...list.querySelectorAll('.virtual-row')];
      const boxes = rows.map((row) => row.getBoundingClientRect());
      return rows.filter((_, place) => {
        const [before, box] = [boxes[place - 1], boxes[place]];
        return before !== undefined && box !== undefined && Math.abs(box.top - before.bottom) > 1;
      });
    })
    .map((row) => row.textContent.slice(0, 60));
}

/** Tabs that are not in one row, or whose current one is out of sight. */
function lostTabs(): string[] {
  return [...document.querySelectorAll('.tabs')].flatMap((tabs) => {
    const here = tabs.querySelector('[aria-current]')?.getBoundingClientRect();
    const { height } = tabs.getBoundingClientRect();
    const isSeen = here === undefined || (here.left >= 0 && here.right <= innerWidth);
    return height < 60 && isSeen
      ? []
      : [`${Math.round(height)} high, ${here?.left} to ${here?.right}`];
  });
}

/** Names of sessions and arguments of calls that have less than the width of their row. */
function narrowTexts(): string[] {
  const texts = document.querySelectorAll(
    '.session > td:first-child, .live-row.output-row > .second',
  );
  return [...texts].flatMap((text) => {
    const { width } = text.getBoundingClientRect();
    return width < 300 ? [`${text.textContent.slice(0, 40)} ${Math.round(width)}`] : [];
  });
}

/** How far a view is wider than the screen. */
function beyondScreen(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  return scrollWidth > clientWidth ? [`${scrollWidth} > ${clientWidth}`] : [];
}

/** What every view has to be at 390 pixels, and its faults. */
export const phoneLooks: Readonly<Record<string, () => string[]>> = {
  'fits a phone: no view is wider than the screen': beyondScreen,
  'has targets of 24 pixels or more on a phone': smallTargets,
  'leaves each cell of a row room for a word': squeezedCells,
  'leaves room between the cells of a row': touchingTexts,
  'gives the names of sessions and what tools were called with the width of the row': narrowTexts,
  'has tabs in one row': lostTabs,
  'begins each row of a long list where the one before it ends': displacedRows,
  // It moves the focus, so nothing is looked at after it.
  'shows a row that has the focus below the header': coveredRows,
};

/** Tests of the page at 390 pixels. */
export function phoneTests(world: () => World): void {
  it('says why something was removed, and what happened to a request', async () => {
    const { openPage, openView } = world();
    const page = await openPage({ viewport, hasTouch: true });
    await openView(page, '/sessions/demo/left');
    await page
      .locator('.left-row .second')
      .getByText(/summarized by|full|cheaper/)
      .first()
      .waitFor();
    await openView(page, '/sessions/demo/timeline');
    await page
      .getByRole('region', { name: 'Requests', exact: true })
      .getByText(/removed: /)
      .first()
      .waitFor();
    await page.context().close();
  }, 200_000);
}
