-- A person of two records that were merged is counted from the earlier day of the two, so that a merge changes no report about an earlier day.
-- Only survivors of merges are changed: the index of merged records finds them.
update members kept
   set created_at = merged.created_at
  from (select workspace_id, merged_into, min(created_at) as created_at
          from members
         where merged_into is not null
         group by workspace_id, merged_into) merged
 where kept.workspace_id = merged.workspace_id
   and kept.id = merged.merged_into
   and kept.created_at > merged.created_at;
