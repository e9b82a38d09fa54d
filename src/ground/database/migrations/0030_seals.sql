-- Seals: hashes of what decides who gets how much of what, when, and how it can be spent. Every change of such a record appends one to the
-- chain of its workspace (workspaces/seals.ts), so that `ledger verify` finds changes that were made with SQL.
create table seals (
  workspace_id  bigint      not null,
  -- 1, 2, 3 … in the workspace.
  number        bigint      not null,
  -- Which columns the hashes are made of.
  version       smallint    not null,
  at            timestamptz not null,
  -- The sealed records: their kinds, their keys, and the hash of each. Zeros: the record was removed.
  records       text[]      not null,
  keys          text[]      not null,
  hashes        bytea[]     not null,
  -- The hash of the seal before, and of this one.
  previous      bytea       not null,
  hash          bytea       not null,
  primary key (workspace_id, number)
);

-- What is there is sealed as it is. No other version runs meanwhile: nodes of the release before are stopped, so nothing waits for this.
do $$
declare
  part   record;
  last   record;
begin
  for part in
    select workspace_id, nth / 1000 as piece, array_agg(record order by nth) as records, array_agg(key order by nth) as keys,
           array_agg(hash order by nth) as hashes, string_agg(hash, '' order by nth) as joined
      from (select *, row_number() over (partition by workspace_id order by record, key) - 1 as nth
              from (
    select b.workspace_id, 'budget' as record, b.id::text as key,
           sha256(convert_to(concat_ws(',', b.kind, coalesce(b.member_id::text, '-'), quote_nullable(b.currency::text), coalesce(b.gift_limit::text, '-'), coalesce(b.allowance::text, '-'), coalesce(b.allowance_every::text, '-'), coalesce(extract(epoch from b.next_allowance_at)::text, '-'), coalesce(extract(epoch from b.closed_at)::text, '-')), 'UTF8')) as hash
      from budgets b
     union all
    select r.workspace_id, 'order' as record, r.request_id::text as key,
           sha256(convert_to(concat_ws(',', r.token_id, r.sender_id, quote_nullable(r.currency::text), coalesce(extract(epoch from r.accepted_at)::text, '-'), o.id, o.gift_count, quote_nullable(o.failure::text), coalesce(extract(epoch from o.finished_at)::text, '-'), coalesce(b.budget_id::text, '-'), coalesce(b.amount::text, '-')), 'UTF8')) as hash
      from order_requests r
      join orders o             on o.workspace_id = r.workspace_id and o.request_id = r.request_id
      left join order_budgets b on b.workspace_id = r.workspace_id and b.request_id = r.request_id
     where o.id is not null
     union all
    select c.workspace_id, 'gifts' as record, c.request_id || '/' || c.position / 16 as key,
           sha256(convert_to(string_agg(concat_ws(',', c.position, c.id, c.member_id, c.amount, c.key_version, c.state, c.edition, coalesce(extract(epoch from c.expires_at)::text, '-'), coalesce(c.reason_id::text, '-'), coalesce(extract(epoch from c.claimed_at)::text, '-'), c.redeemed, c.token_version), E'\n' order by c.position), 'UTF8')) as hash
      from certificates c
     group by c.workspace_id, c.request_id, c.position / 16
     union all
    select d.workspace_id, 'redemption' as record, d.id::text as key,
           sha256(convert_to(concat_ws(',', d.request_id, d.position, quote_nullable(d.spending_option::text), d.kind, quote_nullable(d.spending_option_name::text), d.tax_type, quote_nullable(d.retailer::text), d.amount, d.state, coalesce(extract(epoch from d.at)::text, '-'), coalesce(extract(epoch from d.finished_at)::text, '-'), coalesce(d.exported_in::text, '-'), coalesce(d.reversed_in::text, '-'), quote_nullable(d.redeemed_by ->> 'is') || ' ' || quote_nullable(d.redeemed_by ->> 'id'), quote_nullable(d.finished_by ->> 'is') || ' ' || quote_nullable(d.finished_by ->> 'id')), 'UTF8')) as hash
      from redemptions d
     union all
    select e.workspace_id, 'payroll' as record, e.number::text as key,
           sha256(convert_to(concat_ws(',', coalesce(extract(epoch from e.closed_at)::text, '-'), quote_nullable(e.header::text), e.lines, quote_nullable(e.totals::text), encode(e.hash, 'hex')), 'UTF8')) as hash
      from payroll_exports e
     union all
    select s.workspace_id, 'spending option' as record, s.id as key,
           sha256(convert_to(concat_ws(',', s.kind, quote_nullable(s.name::text), quote_nullable(s.description::text), quote_nullable(s.currencies::text), coalesce(s.min_amount::text, '-'), coalesce(s.max_amount::text, '-'), s.allows_parts, s.is_on, s.tax_type, quote_nullable(s.detail::text)), 'UTF8')) as hash
      from spending_options s
     union all
    select p.workspace_id, 'pool' as record, p.id::text as key,
           sha256(convert_to(concat_ws(',', quote_nullable(p.currency::text)), 'UTF8')) as hash
      from code_pools p
     union all
    select k.workspace_id, 'code' as record, k.id::text as key,
           sha256(convert_to(concat_ws(',', k.pool_id, quote_nullable(k.retailer::text), k.value, coalesce(to_char(k.expires_on, 'YYYY-MM-DD'), '-'), k.key_version, encode(k.sealed, 'hex'), encode(k.hash, 'hex'), coalesce(k.redemption_id::text, '-'), coalesce(extract(epoch from k.given_at)::text, '-')), 'UTF8')) as hash
      from pool_codes k
              ) sealed) numbered
     group by workspace_id, piece
     order by workspace_id, piece
  loop
    select number, hash into last from seals where workspace_id = part.workspace_id order by number desc limit 1;
    insert into seals (workspace_id, number, version, at, records, keys, hashes, previous, hash)
    select part.workspace_id, next.number, 1, now(), part.records, part.keys, part.hashes, next.previous,
           sha256(convert_to(concat_ws(E'\n', 'giftwire seals 1', encode(next.previous, 'hex'), part.workspace_id, next.number, 1,
             to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), array_to_string(part.records, ','),
             array_to_string(part.keys, ','), encode(part.joined, 'hex')), 'UTF8'))
      from (select coalesce(last.number, 0) + 1 as number, coalesce(last.hash, decode(repeat('00', 32), 'hex')) as previous) next;
  end loop;
end $$;
