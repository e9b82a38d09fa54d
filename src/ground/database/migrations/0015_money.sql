-- Budgets and the ledger. A book is a chain of entries with its balances: one for each budget, and one for each currency in which
-- a workspace sends gifts without a budget.
--
-- Nodes of the version before may still run. Both locks are taken first, in the sequence in which fulfilment takes them, so that
-- neither waits for the other. Fulfilment reads `migrations` before it does anything: after the first lock no batch is on its way,
-- and the next one sees this migration and leaves its orders to a newer node. So no order is finished without an entry. What an
-- older node does to gifts later is caught up (budgets/catch-up.ts).
lock table migrations in access exclusive mode;
lock table activity_counters in exclusive mode;

create sequence budget_ids;

-- The balances of a book, and the head of its chain. Only the statement that posts entries changes them (budgets/post.ts). No index
-- holds a column that an entry changes, so that PostgreSQL can rewrite the row in place.
create table budgets (
  workspace_id       bigint         not null references workspaces,
  id                 bigint         not null,
  -- UNLIMITED: gifts that were sent while no budget applied.
  kind               text           not null check (kind in ('WORKSPACE', 'MEMBER', 'UNLIMITED')),
  member_id          bigint,
  currency           text           not null,
  granted            numeric(20, 4) not null default 0,
  available          numeric(20, 4) not null default 0,
  committed          numeric(20, 4) not null default 0,
  issued             numeric(20, 4) not null default 0,
  redeemed           numeric(20, 4) not null default 0,
  -- The number, the time and the hash of the latest entry, and the hash of the one before it.
  latest             bigint         not null default 0,
  latest_at          timestamptz    not null default '-infinity',
  head               bytea          not null default decode(repeat('00', 32), 'hex'),
  previous           bytea          not null default decode(repeat('00', 32), 'hex'),
  -- The most that one gift may cost, and the highest gift of the latest entry that orders made.
  gift_limit         numeric(12, 4) check (gift_limit > 0),
  largest_gift       numeric(12, 4),
  allotment          numeric(20, 4) check (allotment > 0),
  allotment_every    text           check (allotment_every in ('MONTH', 'YEAR')),
  -- When the next allotment is due.
  next_allotment_at  timestamptz,
  -- What was available after the latest grant. The thresholds are percents of it.
  refilled           numeric(20, 4) not null default 0,
  low_percents       int[]          not null default '{20}',
  -- The lowest threshold that was announced since then: 100 if none was, 0 if nothing is left.
  announced_percent  int            not null default 100,
  closed_at          timestamptz,
  created_at         timestamptz    not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, member_id) references members,
  constraint budgets_add_up check (granted = available + committed + issued + redeemed),
  -- No race can overspend a budget: the database refuses it.
  constraint budgets_available check (available >= 0),
  constraint budgets_gift_limit check (largest_gift <= gift_limit),
  constraint budgets_not_negative check (granted >= 0 and committed >= 0 and issued >= 0 and redeemed >= 0),
  check ((kind = 'MEMBER') = (member_id is not null)),
  check ((allotment is null) = (allotment_every is null) and (allotment is null) = (next_allotment_at is null))
) with (fillfactor = 50);
create unique index budgets_owner on budgets (workspace_id, currency, kind, member_id) nulls not distinct;
create index budgets_allotments on budgets (next_allotment_at) where next_allotment_at is not null;

-- What moved money from one account of a book to another. Rows are never changed: a correction is another entry. An entry about
-- many orders or gifts is one row, which lists them.
create table ledger_entries (
  workspace_id     bigint           not null,
  budget_id        bigint           not null,
  -- 1, 2, 3 … in the book.
  number           bigint           not null,
  type             text             not null,
  source           text             not null,
  target           text             not null,
  amount           numeric(20, 4)   not null check (amount > 0),
  at               timestamptz      not null,
  -- The orders that it is about, with the amount of each; if it is about single gifts, also their positions.
  requests         uuid[]           not null,
  positions        int[]            not null,
  amounts          numeric(20, 4)[] not null,
  -- For instance the note of a grant. As text, because the hash is made of it.
  detail           json             not null,
  -- The hash of the entry before, and of this one.
  previous         bytea            not null,
  hash             bytea            not null,
  idempotency_key  text,
  primary key (workspace_id, budget_id, number)
);
create unique index ledger_entries_idempotency on ledger_entries (workspace_id, idempotency_key)
  where idempotency_key is not null;

-- Which budget an order draws on, and its total. An order without a row draws on none.
create table order_budgets (
  workspace_id  bigint         not null,
  request_id    uuid           not null,
  budget_id     bigint         not null,
  amount        numeric(20, 4) not null,
  primary key (workspace_id, request_id)
);

-- The gifts that were issued before open the books: one entry for all gifts of a workspace and currency, and a second one for those
-- that have expired or were cancelled. Nobody issues or changes gifts between this reading and the commit, because of the locks.
create temporary table opening on commit drop as
select c.workspace_id, r.currency, nextval('budget_ids') as budget_id, now() as at,
       sum(c.amount)::numeric(20, 4) as total,
       coalesce(sum(c.amount) filter (where c.state in ('EXPIRED', 'CANCELLED')), 0)::numeric(20, 4) as returned,
       coalesce(array_agg(c.request_id order by c.request_id, c.position) filter (where c.state in ('EXPIRED', 'CANCELLED')), '{}') as requests,
       coalesce(array_agg(c.position order by c.request_id, c.position) filter (where c.state in ('EXPIRED', 'CANCELLED')), '{}') as positions,
       coalesce(array_agg(c.amount::numeric(20, 4) order by c.request_id, c.position) filter (where c.state in ('EXPIRED', 'CANCELLED')), '{}')::numeric(20, 4)[] as amounts
  from certificates c
  join order_requests r on r.workspace_id = c.workspace_id and r.request_id = c.request_id
 group by c.workspace_id, r.currency;

insert into ledger_entries (workspace_id, budget_id, number, type, source, target, amount, at, requests, positions, amounts, detail, previous, hash)
select o.workspace_id, o.budget_id, 1, 'OPENED', 'granted', 'issued', o.total, o.at, '{}', '{}', '{}', '{}', decode(repeat('00', 32), 'hex'),
       sha256(convert_to(concat_ws(E'\n', 'giftwire ledger 1', repeat('00', 32), o.workspace_id, o.budget_id, o.currency, 1,
         to_char(o.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'OPENED', 'granted', 'issued', o.total, '', '', '', '{}'), 'UTF8'))
  from opening o;

insert into ledger_entries (workspace_id, budget_id, number, type, source, target, amount, at, requests, positions, amounts, detail, previous, hash)
select o.workspace_id, o.budget_id, 2, 'RETURNED', 'issued', 'granted', o.returned, o.at, o.requests, o.positions, o.amounts, '{}', e.hash,
       sha256(convert_to(concat_ws(E'\n', 'giftwire ledger 1', encode(e.hash, 'hex'), o.workspace_id, o.budget_id, o.currency, 2,
         to_char(o.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'RETURNED', 'issued', 'granted', o.returned,
         array_to_string(o.requests, ','), array_to_string(o.positions, ','), array_to_string(o.amounts, ','), '{}'), 'UTF8'))
  from opening o
  join ledger_entries e using (workspace_id, budget_id)
 where o.returned > 0;

insert into budgets (workspace_id, id, kind, currency, granted, issued, latest, latest_at, head, previous)
select o.workspace_id, o.budget_id, 'UNLIMITED', o.currency, o.total - o.returned, o.total - o.returned, last.number, o.at, last.hash, last.previous
  from opening o
  join lateral (select number, hash, previous
                  from ledger_entries e
                 where e.workspace_id = o.workspace_id and e.budget_id = o.budget_id
                 order by number desc
                 limit 1) last on true;
