import { Icon, type IconName } from '../../../parts/icon.tsx';
import type { MySpendingOption } from '../../data/spending.ts';
import { Empty } from '../../parts/empty.tsx';
import { useFormats, useWords } from '../../words/words.tsx';

const icons: Record<MySpendingOption['fulfilledBy'], IconName> = {
  payroll: 'coin',
  colleague: 'heart',
  code: 'card',
  till: 'shop',
};

interface OptionsProps {
  options: readonly MySpendingOption[];
  currency: string;
  chosen: MySpendingOption | null;
  onChoose: (option: MySpendingOption) => void;
}

/** What the company offers, each with what it means. */
export function Options({ options, currency, chosen, onChoose }: OptionsProps) {
  const { spend: words } = useWords();
  const formats = useFormats();
  if (options.length === 0) return <Empty title={words.noOptionsTitle}>{words.noOptionsText}</Empty>;
  const text = ({ description, fulfilledBy, least, most, cards }: MySpendingOption) => {
    if (description) return description;
    const retailers = [...new Set(cards.map(({ retailer }) => retailer))];
    if (retailers.length > 0) return formats.list(retailers);
    const range = words.range(formats.money(least, currency), formats.money(most, currency));
    return fulfilledBy === 'colleague' ? `${words.kinds.colleague}. ${range}` : words.kinds[fulfilledBy];
  };
  return (
    <div className="card" role="radiogroup" aria-label={words.how}>
      {options.map((option) => (
        <label className="option" key={option.id}>
          <span className="tile">
            <Icon name={icons[option.fulfilledBy]} size={20} />
          </span>
          <span>
            <b>{option.name}</b>
            <span className="small">{text(option)}</span>
          </span>
          <input type="radio" name="option" checked={chosen?.id === option.id} onChange={() => onChoose(option)} />
        </label>
      ))}
    </div>
  );
}
