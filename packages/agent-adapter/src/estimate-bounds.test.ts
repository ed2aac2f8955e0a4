import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTokenCounter } from '@ctx/tokens';
import { approximateTokens } from '@ctx/tokens/approximate';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');

function filesIn(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => readFileSync(join(root, folder, name), 'utf8'));
}

/** Numbers that look like chance and are the same in each run. */
function someBytes(length: number): Buffer {
  let state = 7;
  return Buffer.from(
    Array.from({ length }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state >>> 24;
    }),
  );
}

function logLines(): string {
  const hex = someBytes(1600).toString('hex');
  const line = (index: number): string => {
    const id = hex.slice(index * 8, index * 8 + 16);
    const at = `2026-11-02T10:${String(index % 60).padStart(2, '0')}:30.${String(100 + index)}Z`;
    return `${at} INFO [worker-${String(index % 7)}] request id=${id} took ${String((index * 37) % 999)}ms status=200`;
  };
  return Array.from({ length: 200 }, (_, index) => line(index)).join('\n');
}

const chinese = [
  '今天天气很好,我们一起去公园散步吧。他昨天晚上没有回家,因为公司里的事情太多了。',
  '老师告诉我们,学习一门新的语言最重要的是每天都要练习,不要害怕犯错误。',
  '很多年轻人喜欢在周末和朋友一起看电影、吃饭、聊天。妈妈买了一些水果和蔬菜,准备做一顿丰盛的晚餐。',
  '工具的输出如果放不进窗口,就会被保存起来,并用一个简短的指针代替。任务需要时,代理可以重新读取。',
  '服务器启动以后,请先检查日志文件,确认数据库连接正常,然后再运行测试。如果出现错误,请查看配置说明。',
];

/** Tables and code in a document are not prose. */
function proseOf(text: string): string {
  const paragraphs = text.split('\n\n').filter((each) => /^[A-Z][a-z]/.test(each));
  return paragraphs.join('\n\n');
}

const classes: Readonly<Record<string, () => readonly string[]>> = {
  English: () => filesIn('docs', '.md').map(proseOf),
  JSON: () => filesIn('.', '.json').concat(filesIn('apps/cli', '.json')),
  code: () =>
    ['packages/tokens/src', 'packages/store/src/backend', 'packages/store/src/records'].flatMap(
      (folder) => filesIn(folder, '.ts'),
    ),
  base64: () => [someBytes(6000).toString('base64')],
  hexadecimal: () => [someBytes(4000).toString('hex')],
  logs: () => [logLines()],
  Chinese: () => chinese,
};

describe('the estimate of tokens without tables', () => {
  it.each(Object.keys(classes))('of %s is at most a tenth off the exact count', (name) => {
    const texts = classes[name]?.() ?? [];
    const sum = (count: (text: string) => number): number =>
      texts.reduce((total, text) => total + count(text), 0);
    const exact = sum(openTokenCounter());
    expect(exact).toBeGreaterThan(100);
    expect(Math.abs(sum(approximateTokens) / exact - 1)).toBeLessThanOrEqual(0.1);
  });
});
