/** The base of the current history, as an SQL expression. */
export const historyBase = '(select max(base) from histories)';

/** The id of the current history, as an SQL expression. */
export const historyId = '(select id from histories order by base desc limit 1)';

/** No installation issues ids faster. So the base of a history exceeds all ids that an earlier one, lost or not, has issued. */
export const idsPerSecond = 100_000;

/** The base for numbers that are issued less than once a second, for example link versions of one gift. */
export const slowHistoryBase = `(select max(base) / ${idsPerSecond} from histories)`;

/** The id of the history in which such a number was issued, as an SQL expression. */
export function slowHistoryId(number: string): string {
  return `(select id from histories where base / ${idsPerSecond} < ${number} order by base desc limit 1)`;
}
