import { type ReactNode, useState } from 'react';
import { countText } from '../../parts/text/format.ts';
import type { WhatIfAsk } from './use-what-if.ts';

type Policy = WhatIfAsk['policies'][number];
type Price = WhatIfAsk['price'];

const policyTexts: readonly (readonly [name: Policy, text: string, isOn: boolean])[] = [
  ['none', 'none: send everything', true],
  ['recipe', 'recipe: prune old tool calls over 100,000 tokens', true],
  ['classic', 'classic: drop half of the messages at the limit', false],
  ['offload', 'offload: preview large results', false],
  ['ctx', 'ctx: default', true],
  ['ctx-thrifty', 'ctx: thrifty', true],
  ['ctx-evidence', 'ctx: evidence', true],
];
const usualWindows = [64_000, 128_000, 200_000, 400_000, 1_000_000];
const priceTexts: readonly (readonly [name: Price, text: string])[] = [
  ['anthropic-5m', 'Anthropic, 5-minute cache'],
  ['anthropic-1h', 'Anthropic, 1-hour cache'],
  ['openai', 'OpenAI, before GPT-5.6'],
  ['openai-5.6', 'OpenAI, GPT-5.6 and later'],
  ['gemini', 'Gemini'],
  ['deepseek', 'DeepSeek'],
];

interface ChoiceProps {
  readonly chosen: readonly Policy[];
  readonly onChoose: (names: readonly Policy[]) => void;
}

function Policies({ chosen, onChoose }: ChoiceProps): ReactNode {
  return (
    <fieldset className="choices">
      <legend>Policies</legend>
      {policyTexts.map(([name, text]) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            onChange={({ target }) => {
              const others = chosen.filter((one) => one !== name);
              onChoose(target.checked ? [...others, name] : others);
            }}
          />{' '}
          {text}
        </label>
      ))}
    </fieldset>
  );
}

interface SelectProps<T extends string | number> {
  readonly name: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, text: string])[];
  readonly onSelect: (value: T) => void;
}

function Select<T extends string | number>(props: SelectProps<T>): ReactNode {
  const { name, value, options, onSelect } = props;
  return (
    <label>
      {name}{' '}
      <select
        value={value}
        onChange={({ target }) => {
          const chosen = options[target.selectedIndex];
          if (chosen !== undefined) onSelect(chosen[0]);
        }}
      >
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

interface FormProps {
  /** The window that the session had. */
  readonly ownWindow: number;
  readonly isBusy: boolean;
  readonly onAsk: (ask: WhatIfAsk) => void;
}

/** What is asked: policies, window and prices. */
export function WhatIfForm({ ownWindow, isBusy, onAsk }: FormProps): ReactNode {
  const [policies, setPolicies] = useState<readonly Policy[]>(() =>
    policyTexts.flatMap(([name, , isOn]) => (isOn ? [name] : [])),
  );
  const [windowTokens, setWindow] = useState(ownWindow);
  const [price, setPrice] = useState<Price>('anthropic-5m');
  const windows = [...new Set([...usualWindows, ownWindow])].toSorted((a, b) => a - b);
  return (
    <form
      className="card"
      onSubmit={(event) => {
        event.preventDefault();
        onAsk({ policies: [...policies], windowTokens, price });
      }}
    >
      <Policies chosen={policies} onChoose={setPolicies} />
      <div className="actions">
        <Select
          name="Window"
          value={windowTokens}
          options={windows.map((size) => [size, `${countText(size)} tokens`])}
          onSelect={setWindow}
        />
        <Select name="Prices" value={price} options={priceTexts} onSelect={setPrice} />
        <button type="submit" className="primary" disabled={isBusy || policies.length === 0}>
          Replay
        </button>
      </div>
    </form>
  );
}
