/** The base of the current history, as an SQL expression. */
export const historyBase = '(select max(base) from histories)';

/** The id of the current history, as an SQL expression. */
export const historyId = '(select id from histories order by base desc limit 1)';

/** No installation issues ids faster. So the base of a history exceeds all ids that an earlier one, lost or not, has issued. */
export const idsPerSecond = 100_000;

/** The base for numbers that are issued less than once a second, for example link versions of one gift. */
export const slowHistoryBase = `(select max(base) / ${idsPerSecond} from histories)`;

/** Such bases of all histories but the first, as an SQL expression. */
export const slowHistoryBases = `(select base / ${idsPerSecond} from histories where base > 0)`;

/** The id of the history in which such a number was issued, as an SQL expression. */
export function slowHistoryId(number: string): string {
  return `(select id from histories where base / ${idsPerSecond} < ${number} order by base desc limit 1)`;
}

/** The histories with where each ends: `base`, and `until`, the base of the next one (null: it is the current one). */
export const historyEnds = '(select base, lead(base) over (order by base) as until from histories)';

/**
 * How many numbers of a chain are above `after`, up to `latest`, as an SQL expression. A chain has no gap within a history, and continues above the
 * base of the next one. `of`: the condition on the rows `n` of the table that are of the chain.
 */
export function countOfNumbers(chain: { table: string; of: string; after: string; latest: string }): string {
  const { table, of, after, latest } = chain;
  return `(${latest} - ${after}
     - (select coalesce(sum(h.until - greatest(${after}, h.base, last.number)), 0)::bigint
          from ${historyEnds} h
          left join lateral (select n.number
                               from ${table} n
                              where ${of}
                                and n.number > h.base
                                and n.number <= h.until
                              order by n.number desc
                              limit 1) last on true
         where h.until > ${after}
           and h.until < ${latest}))`;
}

/** The reason of the history that a move begins: it lost nothing. */
export const movedReason = 'it was moved from another PostgreSQL';
