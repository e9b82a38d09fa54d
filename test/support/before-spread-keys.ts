/**
 * Rows for every table of a database that has the migrations up to 0007: three workspaces of two accounts, members with teams and
 * without, one merged and one who has left, reasons in use and retired, gifts and shoutouts of every status.
 */
export const rowsBeforeSpreadKeys = `
  insert into installation (environment) values ('test');
  insert into gift_token_keys values (1, '\\x0102');
  insert into accounts (name) values ('Acme'), ('Borealis');
  insert into workspaces (account_id, name, language)
  values (1, 'Acme', 'EN_CA'), (2, 'Borealis', 'FR_CA'), (2, 'Borealis Sud', 'ES_MX');

  -- Teams and reasons are numbered across workspaces, and names repeat among them.
  insert into teams (workspace_id, name, external_id)
  values (1, 'Everyone', null), (2, 'Everyone', null), (1, 'Voice', 'g-voice'), (2, 'Voice', null),
         (3, 'Everyone', null), (1, 'Empty', null);
  insert into reasons (workspace_id, description, retired_at)
  values (1, 'Thank you', null), (2, 'Thank you', null), (1, 'Teamwork', null), (1, 'Old times', '2026-02-01'),
         (3, 'Thank you', null), (2, 'Merci', null);
  update workspaces set default_team_id = 1, default_reason_id = 1 where id = 1;
  update workspaces set default_team_id = 2, default_reason_id = 6 where id = 2;
  update workspaces set default_team_id = 5, default_reason_id = 5 where id = 3;

  insert into members (workspace_id, team_id, first_name, email, employee_number, is_integration)
  values (1, 1, 'Payroll', null, null, true), (2, 2, 'Payroll', null, null, true),
         (1, 3, 'Ada', 'ada@example.com', '1', false), (1, 1, 'Bob', 'bob@example.com', null, false),
         (1, 1, '', null, '3', false), (2, 4, 'Ada', 'ada@example.com', '1', false),
         (2, 2, 'Dora', 'dora@example.com', null, false), (3, 5, 'Eve', 'eve@example.com', null, false);
  insert into team_members (workspace_id, team_id, member_id) values (1, 3, 3), (2, 4, 6);
  update members set manager_id = 4 where workspace_id = 1 and id = 3;
  update members set merged_into = 3 where workspace_id = 1 and id = 5;
  update members set left_at = '2026-02-01' where workspace_id = 2 and id = 7;
  insert into former_addresses values (1, 'ada.before@example.com', 3);

  insert into api_tokens (name, hash, hint, scopes)
  values ('Payroll', '\\x01', 'aaaa', '{orders:write}'), (null, '\\x02', 'bbbb', '{reports:read}');
  insert into api_token_workspaces (token_id, workspace_id, member_id) values (1, 1, 1), (1, 2, 2), (2, 1, 4);

  insert into order_requests (workspace_id, request_id, token_id, sender_id, sender_name, currency, language, body)
  values (1, '019a8453-5d3e-7c1e-9b0a-2f1d6b3c4e01', 1, 1, 'Payroll', 'CAD', 'EN_CA', '{"orderItems": [{}]}'),
         (1, '019a8453-5d3e-7c1e-9b0a-2f1d6b3c4e02', 1, 1, 'Payroll', 'CAD', 'EN_CA', '{"orderItems": [{}]}'),
         (2, '019a8453-5d3e-7c1e-9b0a-2f1d6b3c4e03', 1, 2, 'Payroll', 'CAD', 'FR_CA', '{"orderItems": [{}]}');
  insert into orders (workspace_id, request_id, id, gift_count, failure)
  values (1, '019a8453-5d3e-7c1e-9b0a-2f1d6b3c4e01', 1, 1, null),
         (2, '019a8453-5d3e-7c1e-9b0a-2f1d6b3c4e03', null, 1, 'It could not be fulfilled.');
  insert into pending_orders (workspace_id, request_id, gifts) values (1, '019a8453-5d3e-7c1e-9b0a-2f1d6b3c4e02', 1);
  insert into certificates (workspace_id, request_id, position, id, member_id, amount, message, key_version, short_token_hash)
  values (1, '019a8453-5d3e-7c1e-9b0a-2f1d6b3c4e01', 0, 1, 5, 25.50, 'Thank you', 1, 7);

  insert into activities (workspace_id, number, type, status, sender_id, receiver_id, reason_id, description, request_id,
                          position, created_on)
  values (1, 1, 'GIFT', 'APPROVED', 1, 5, 1, null, '019a8453-5d3e-7c1e-9b0a-2f1d6b3c4e01', 0, '2026-03-01 12:00Z'),
         (1, 2, 'SHOUTOUT', 'APPROVED', 3, 4, 4, 'As it was', null, null, '2026-03-02 12:00Z'),
         (1, 3, 'SHOUTOUT', 'DECLINED', 4, 3, 3, 'Well done', null, null, '2026-03-03 12:00Z'),
         (2, 1, 'SHOUTOUT', 'PENDING', 7, 6, 6, 'Bravo', null, null, '2026-03-04 12:00Z');
  insert into shoutouts (workspace_id, number, token_id, idempotency_key, body, decided_by, decided_at)
  values (1, 2, 2, 'monday', '{"message": "As it was", "reasonId": 4}', null, null),
         (1, 3, 2, null, '{"message": "Well done", "reasonId": 3}', 4, '2026-03-03 13:00Z'),
         (2, 1, 1, 'monday', '{"message": "Bravo"}', null, null);
  insert into activity_counters (workspace_id, total, latest, declined)
  values (1, 3, '2026-03-03 12:00Z', 1), (2, 1, '2026-03-04 12:00Z', 0), (3, 0, '-infinity', 0);
  insert into activity_gaps values (1, 1000, 0, 1), (1, 1000000, 0, 1);
  update members set recognition_count = 1, last_recognized_on = '2026-03-01', last_recognized_by = 'GIFT', last_recognized_number = 1
   where workspace_id = 1 and id = 3;
  update members set recognition_count = 1, last_recognized_on = '2026-03-02', last_recognized_by = 'SHOUTOUT', last_recognized_number = 2
   where workspace_id = 1 and id = 4;
  insert into migration_checksums select name, repeat('0', 64) from migrations`;
