/** What a recipient asked for with a part of a gift, as it was decided. */
export interface DecidedWish {
  isDone: boolean;
  /** What the way was called. */
  way: string;
  amount: number;
  /** What the company says about it. */
  note: string | null;
}

/** The wish that the mail `q` is about, as an SQL expression: the nth of the gift. Null for mails of other kinds. */
export const wishOf = `
  case q.kind when 'WISH' then
    (select jsonb_build_object('isDone', d.state = 'DONE', 'way', d.way_name, 'amount', d.amount, 'note', d.detail ->> 'note')
       from redemptions d
      where d.workspace_id = q.workspace_id
        and d.request_id = q.request_id
        and d.position = q.position
        and d.kind = 'HAND'
      order by d.id
     offset q.nth - 1
      limit 1)
  end`;
