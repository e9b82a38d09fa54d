-- Names and groups of people have one form: accents are part of their letters (NFC), and characters without a width are removed. What looks the
-- same is then one name and one department. Only rows with other characters than those of ASCII are looked at. Other encodings than UTF-8
-- have no such forms.
do $$
declare
  invisible constant text := '[\u00ad\u200b\u200e\u200f\u2060-\u2064\ufeff]|(?<=^|[\u0001-\u02ff])[\u200c\u200d]+|[\u200c\u200d]+(?=[\u0001-\u02ff]|$)';
begin
  if getdatabaseencoding() <> 'UTF8' then
    return;
  end if;
  with plain as (
    select m.workspace_id, m.id,
                btrim(normalize(regexp_replace(m.first_name, invisible, '', 'g'), NFC)) as first_name,
                btrim(normalize(regexp_replace(m.last_name, invisible, '', 'g'), NFC)) as last_name,
                nullif(btrim(normalize(regexp_replace(m.department, invisible, '', 'g'), NFC)), '') as department,
                nullif(btrim(normalize(regexp_replace(m.cost_centre, invisible, '', 'g'), NFC)), '') as cost_centre,
                nullif(btrim(normalize(regexp_replace(m.location, invisible, '', 'g'), NFC)), '') as location,
                nullif(btrim(normalize(regexp_replace(m.display_name, invisible, '', 'g'), NFC)), '') as display_name,
                nullif(btrim(normalize(regexp_replace(m.formatted_name, invisible, '', 'g'), NFC)), '') as formatted_name
      from members m
     where concat(m.first_name, m.last_name, m.department, m.cost_centre, m.location, m.display_name, m.formatted_name) ~ '[^ -~]'
  ),
  changed as (
    update members m
       set first_name = p.first_name,
           last_name = p.last_name,
           department = p.department,
           cost_centre = p.cost_centre,
           location = p.location,
           display_name = p.display_name,
           formatted_name = p.formatted_name
      from plain p
     where m.workspace_id = p.workspace_id
       and m.id = p.id
       and (m.first_name, m.last_name, m.department, m.cost_centre, m.location, m.display_name, m.formatted_name)
           is distinct from
           (p.first_name, p.last_name, p.department, p.cost_centre, p.location, p.display_name, p.formatted_name)
    returning m.workspace_id, m.id,
              lower(m.first_name || ' ' || m.last_name || ' ' || coalesce(m.email, '') || ' ' || coalesce(m.employee_number, '')) as text
  )
  update member_texts t
     set text = c.text
    from changed c
   where t.workspace_id = c.workspace_id
     and t.member_id = c.id
     and t.text <> '';
end $$;
