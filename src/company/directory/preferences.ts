import type { Actor } from '../../ground/contract/actor.ts';
import type { Preferences, PreferencesChange } from '../../ground/contract/preferences.ts';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { auditMember } from './audit.ts';
import { changePerson, type PersonChange } from './change.ts';
import { keepOut, keptOutRecords, letIn } from './kept-out.ts';
import { shownName } from './names.ts';
import { isHere, isPerson, survivorOf } from './who.ts';

/** The emails that a person chooses, of a row `p` of their preferences, if there is one. */
const chosenEmails = `coalesce(p.digest, false) as digest, coalesce(p.manager_digest, true) as "managerDigest"`;

const preferencesSql = `
  select ${shownName('m')} as name, m.preferred_name as "preferredName", w.employees_set_names as "mayChangeName",
         m.employee_number as "employeeNumber", m.email, m.department, m.location, m.picture_url as avatar,
         m.own_language as language, m.own_time_zone as "timeZone",
         m.birthday is not null as "hasBirthday", m.hired_on is not null as "hasHireDate",
         coalesce(m.hidden_days not in ('BIRTHDAY', 'BOTH'), true)    as "showsBirthday",
         coalesce(m.hidden_days not in ('ANNIVERSARY', 'BOTH'), true) as "showsAnniversary",
         m.id in (${keptOutRecords('$1')}) as "keptOut",
         ${chosenEmails},
         w.manager_digest and exists (select from members report
                                       where report.workspace_id = $1 and report.manager_id = m.id and ${isHere('report')})
           as "hasManagerDigest"
    from members m
    join workspaces w on w.id = m.workspace_id
    left join member_preferences p on p.workspace_id = m.workspace_id and p.member_id = m.id
   where m.workspace_id = $1
     and m.id = $2
     and ${isPerson('m')}`;

export async function readPreferences(on: Queryable, workspaceId: number, memberId: number): Promise<Preferences> {
  const found = await queryOptional<Preferences>(on, preferencesSql, [workspaceId, memberId]);
  if (!found)
    throw new Failure('missing', 'Your account is linked to no person of the directory: ask an owner to link it.');
  return found;
}

/** Changes what is given. It is the same change as that of the people team, with the same event. The caller holds the workspace's lock. */
export async function changePreferences(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  memberId: number,
  change: PreferencesChange,
): Promise<Preferences> {
  const before = await readPreferences(tx, workspaceId, memberId);
  const { preferredName, language, timeZone, keptOut } = change;
  if (preferredName !== undefined && preferredName !== before.preferredName && !before.mayChangeName)
    throw new Failure('forbidden', 'Names are kept by the people team of this workspace: ask them to change yours.');
  const fields: PersonChange = {
    ...(preferredName !== undefined && { preferredName }),
    ...(language !== undefined && { language }),
    ...(timeZone !== undefined && { timeZone }),
    ...hiddenDaysOf({ ...before, ...change }, before),
  };
  if (Object.keys(fields).length > 0) await changePerson(tx, actor, workspaceId, memberId, fields);
  if (keptOut !== undefined && keptOut !== before.keptOut)
    await (keptOut ? keepOut(tx, actor, workspaceId, memberId, null) : letIn(tx, actor, workspaceId, memberId, true));
  await chooseEmails(tx, actor, workspaceId, memberId, before, change);
  return readPreferences(tx, workspaceId, memberId);
}

/** The emails that people choose. */
type ChosenEmails = Pick<Preferences, 'digest' | 'managerDigest'>;
export type ChosenEmail = keyof ChosenEmails;

async function chooseEmails(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  memberId: number,
  before: ChosenEmails,
  { digest = before.digest, managerDigest = before.managerDigest }: PreferencesChange,
): Promise<void> {
  const changed = {
    ...(digest !== before.digest && { digest }),
    ...(managerDigest !== before.managerDigest && { managerDigest }),
  };
  if (Object.keys(changed).length === 0) return;
  await tx.query(
    `insert into member_preferences (workspace_id, member_id, digest, manager_digest)
     values ($1, $2, $3, $4)
         on conflict (workspace_id, member_id) do update
        set digest = excluded.digest, manager_digest = excluded.manager_digest`,
    [workspaceId, memberId, digest, managerDigest],
  );
  await auditMember(tx, actor, workspaceId, 'member.preferences_changed', memberId, changed);
}

/** Turns an email off for the person who has a record now, if there is one. The caller holds the workspace's lock. */
export async function turnOffEmail(
  tx: Queryable,
  workspaceId: number,
  recordId: number,
  email: ChosenEmail,
): Promise<void> {
  const person = await queryOptional<{ id: number; name: string } & ChosenEmails>(
    tx,
    `select m.id, ${shownName('m')} as name, ${chosenEmails}
       from members named
       join members m on m.workspace_id = named.workspace_id and m.id = ${survivorOf('named')} and ${isPerson('m')}
       left join member_preferences p on p.workspace_id = m.workspace_id and p.member_id = m.id
      where named.workspace_id = $1
        and named.id = $2`,
    [workspaceId, recordId],
  );
  if (!person) return;
  const { id, name, ...before } = person;
  await chooseEmails(tx, { is: 'MEMBER', id, name }, workspaceId, id, before, { [email]: false });
}

type Shown = Pick<Preferences, 'showsBirthday' | 'showsAnniversary'>;

function hiddenDaysOf(after: Shown, before: Shown): Pick<PersonChange, 'hiddenDays'> {
  if (hiddenDays(after) === hiddenDays(before)) return {};
  return { hiddenDays: hiddenDays(after) };
}

function hiddenDays({ showsBirthday, showsAnniversary }: Shown) {
  if (showsBirthday) return showsAnniversary ? null : 'ANNIVERSARY';
  return showsAnniversary ? 'BIRTHDAY' : 'BOTH';
}
