import type { ImportText } from '@giftwire/sdk';
import { Button, Group } from '@mantine/core';
import { type DateOrder, dateOrders, orderFormats, orderTexts } from '../../../../src/ground/sheets/date-order.ts';
import { readDate, readMonthDay } from '../../../../src/ground/sheets/dates.ts';
import { Icon } from '../../parts/icon.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from './import.module.css';
import type { DateFormatChoice } from './import-choices.ts';

interface DateProps {
  /** The order that the file proves. */
  proved: DateOrder | null;
  /** Dates that may be two days, with the fields of their columns. */
  ambiguous: readonly ImportText[];
  /** The header of each field. */
  headers: Readonly<Record<string, string>>;
  chosen: DateFormatChoice | undefined;
  onChoose: (format: DateFormatChoice | undefined) => void;
}

/** Asks how dates are written if the file does not prove it, and says how they were read. */
export function ImportDates({ proved, ambiguous: [example], headers, chosen, onChoose }: DateProps) {
  const { questions: words } = useWords().people.importing;
  const dayIn = useDayIn();
  if (chosen !== undefined)
    return (
      <Group gap={8} mb={16}>
        <span>{words.datesRead[chosen === orderTexts.dayFirst ? 'dayFirst' : 'monthFirst']}</span>
        <Button size="compact-sm" variant="subtle" onClick={() => onChoose(undefined)}>
          {words.datesChange}
        </Button>
      </Group>
    );
  if (proved !== null)
    return (
      <p>
        {words.datesRead[proved]} {words.datesProved}
      </p>
    );
  if (!example) return null;
  const { field, text } = example;
  return (
    <section className={styles.notice} aria-label={words.dates}>
      <h2>
        <Icon name="warn" />
        {words.dates}
      </h2>
      <p>{words.datesText(headers[field] ?? field, text)}</p>
      <Group>
        {dateOrders.map((order) => (
          <Button key={order} onClick={() => onChoose(orderTexts[order])}>
            {words.dateOrders[order](dayIn(text, order))}
          </Button>
        ))}
      </Group>
    </section>
  );
}

/** The day that a text of the file is in this order, in words. */
function useDayIn() {
  const { day, monthDay } = useFormats();
  return (text: string, order: DateOrder): string => {
    const date = readDate(text, orderFormats[order]);
    if (date && 'day' in date) return day(date.day);
    const birthday = readMonthDay(text, orderFormats[order]);
    return birthday && 'day' in birthday ? monthDay(birthday.day) : text;
  };
}
