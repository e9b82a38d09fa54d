import { writeAmount } from '../../data/amount.ts';
import type { MySpendingOption } from '../../data/spending.ts';
import { useFormats, useWords } from '../../words/words.tsx';
import type { Asking } from './asked.ts';

interface CardsProps {
  option: MySpendingOption;
  asked: Asking;
  isMissing: boolean;
}

/** Gift cards, by shop: each has one value, which becomes the amount. */
export function Cards({ option, asked, isMissing }: CardsProps) {
  const { spend: words } = useWords();
  const formats = useFormats();
  const { value, most, change, type } = asked;
  const retailers = [...new Set(option.cards.map(({ retailer }) => retailer))];
  return (
    <section className="block">
      <h2>{words.card}</h2>
      {retailers.map((retailer) => (
        <div className="field" key={retailer}>
          <span className="label">{retailer}</span>
          <div className="pills">
            {option.cards
              .filter((code) => code.retailer === retailer)
              .map((code) => (
                <button
                  key={code.value}
                  type="button"
                  className="pill amount"
                  disabled={!code.isThere || code.value > most.left}
                  aria-pressed={value.retailer === retailer && value.amount === code.value}
                  onClick={() => {
                    change({ retailer });
                    type(writeAmount(code.value, value.currency, formats.locale));
                  }}
                >
                  {formats.money(code.value, value.currency)}
                  {!code.isThere && <span className="small">{words.soldOut}</span>}
                </button>
              ))}
          </div>
        </div>
      ))}
      {isMissing && <p className="fault">{words.noCard}</p>}
    </section>
  );
}
