-- Indexes for lists that people look at: the recognition that one member received and gave, and orders that failed. The version before
-- can go on writing this schema.

-- Gifts that a member received are found by certificates_member, so only shoutouts need an index by receiver: one for gifts too would
-- cost each gift 5 µs of about 55. The index by sender costs 2, because the gifts of one sender come together.

-- What is locked, and for how long: reads go on. Nothing is recorded while the indexes on activities are built, which reads that table
-- twice: measured on a busy machine with two cores, 4 s for a million activities. Orders are accepted meanwhile.
create index activities_shoutouts_received on activities (workspace_id, receiver_id, number) where type = 'SHOUTOUT';
create index activities_given on activities (workspace_id, sender_id, number);
create index orders_failed on orders (workspace_id, request_id) where failure is not null;
