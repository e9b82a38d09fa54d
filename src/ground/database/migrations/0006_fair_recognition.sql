-- Whether people may give themselves a shoutout.
alter table workspaces add column allow_self_recognition boolean not null default false;

-- Why a shoutout was approved or declined, as the one who decided said; null where they said nothing.
alter table shoutouts add column decision_reason text;
