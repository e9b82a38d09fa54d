import type { Rule } from '@giftwire/sdk';
import { Sentence } from '../../parts/sentence.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import type { useRuleNames } from './names.ts';
import { sourceOf } from './source.ts';

interface RuleSentenceProps {
  rule: Rule;
  names: ReturnType<typeof useRuleNames>;
}

/** A rule, as one reads it aloud. */
export function RuleSentence({ rule, names }: RuleSentenceProps) {
  const { rules: words } = useWords();
  const { money, either } = useFormats();
  const { from, measure, above, currency, outcome, levels, days, message } = rule;
  const source = names.source(from);
  const [first = '', second] = levels.map(({ approvers }) => either(approvers.map(names.approver)));
  const outcomeText = outcome === 'REJECT' ? words.reject : second === undefined ? words.ask : words.askTwo;
  return (
    <Sentence
      // The amount is written with its currency.
      text={above > 0 ? words.whenAbove.replace('{above} {currency}', '{above}') : words.whenAny}
      parts={{
        from: (
          <>
            {words.from[sourceOf(from).kind]} {source && <b>{source}</b>}
          </>
        ),
        measure: words.measures[measure],
        above: <b className="figure">{money(above, currency)}</b>,
        currency: <b>{currency}</b>,
        outcome: (
          <Sentence
            text={outcomeText}
            parts={{
              first: <b>{first}</b>,
              second: <b>{second}</b>,
              days: <b>{words.days(days ?? 0)}</b>,
              message: <b>{words.quote(message ?? '')}</b>,
            }}
          />
        ),
      }}
    />
  );
}
