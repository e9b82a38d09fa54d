import { shownName } from '../../company/directory/names.ts';
import { memberFieldNames, memberFields } from '../../ground/values/member.ts';
import { isGiftThere, isOver, wasSent } from './handed-out.ts';

/** A file of a person's data. $1 is the workspace, $2 the ids of their records, $3 those of their accounts. */
export interface DataFile {
  name: string;
  title: string;
  /** What it holds, for a reader without knowledge of Giftwire. */
  explanation: string;
  /** The tables that it is made of. */
  tables: readonly string[];
  sql: string;
}

const fields = memberFieldNames.map((name) => `m.${memberFields[name].column} as "${name}"`).join(', ');
const nameOf = (id: string) =>
  `(select ${shownName('named')} from members named where named.workspace_id = $1 and named.id = ${id})`;
const gift = `
    from certificates c
    join order_requests r on r.workspace_id = c.workspace_id and r.request_id = c.request_id
    left join workspaces w on w.id = c.workspace_id
    left join reasons reason on reason.workspace_id = c.workspace_id and reason.id = coalesce(c.reason_id, w.default_reason_id)`;

/** Everything about a person. Other people are in it as far as they wrote to the person: with their name and what they wrote. */
export const dataFiles: readonly DataFile[] = [
  {
    name: 'profile',
    title: 'Your record',
    explanation:
      'What the company’s directory holds about you. A second row is an earlier record that was merged into yours.',
    tables: ['members', 'member_texts'],
    sql: `select m.id, ${fields}, m.custom, m.created_at as "addedAt", m.left_at as "leftAt" from members m
           where m.workspace_id = $1 and m.id = any($2::bigint[]) and $3::bigint[] is not null order by m.id`,
  },
  {
    name: 'addresses',
    title: 'Your other addresses',
    explanation: 'Earlier and further email addresses and logins. They still identify you.',
    tables: ['former_addresses', 'member_emails'],
    sql: `select 'earlier' as kind, email_key as address from former_addresses where workspace_id = $1 and member_id = any($2::bigint[]) and $3::bigint[] is not null
           union all
          select 'further', value from member_emails where workspace_id = $1 and member_id = any($2::bigint[])`,
  },
  {
    name: 'undo',
    title: 'Changes that can be undone',
    explanation:
      'Your record before a merge or an import of the last 24 hours, which can still be undone, and such changes that you made yourself.',
    tables: ['undos', 'undo_members'],
    sql: `select u.at, u.kind as change, 'your record before' as what, concat_ws(' ', p.before ->> 'row', p.manager_reference) as "before", u.expires_at as "keptUntil"
            from undo_members p join undos u on u.workspace_id = p.workspace_id and u.id = p.undo_id
           where p.workspace_id = $1 and p.member_id = any($2::bigint[]) and $3::bigint[] is not null
           union all
          select u.at, u.kind, case when u.actor = 'USER' and u.actor_id = any($3::bigint[]) then 'by you' else 'your role' end, null, u.expires_at
            from undos u
           where u.workspace_id = $1
             and (u.actor = 'USER' and u.actor_id = any($3::bigint[]) or u.kind = 'USER_ROLE' and u.subject_id = any($3::bigint[]))
           order by 1`,
  },
  {
    name: 'gifts-received',
    title: 'Gifts that you received',
    explanation:
      'Each gift with the message and the sender’s name as it was sent, its state, and the thank-you note that you wrote. Gift codes are not in it, and gifts that are to be sent later.',
    tables: ['certificates', 'activities'],
    sql: `select r.accepted_at as "sentAt", r.sender_name as "from", c.message, coalesce(reason.description, '') as reason, c.amount, r.currency, c.state,
                 c.redeemed as spent, c.claimed_at as "claimedAt", c.expires_at as "expiresAt", c.thanks as "yourThanks" ${gift}
           where c.workspace_id = $1 and c.member_id = any($2::bigint[]) and $3::bigint[] is not null and ${isGiftThere} order by r.accepted_at, c.position`,
  },
  {
    name: 'gifts-sent',
    title: 'Gifts that you sent',
    explanation:
      'Each gift with your message, and the thank-you note that the recipient wrote to you. Recipients are shown by their number in the system alone.',
    tables: ['order_requests', 'certificates'],
    sql: `select r.accepted_at as "sentAt", c.member_id as "recipientId", c.message, coalesce(reason.description, '') as reason, c.amount, r.currency,
                 c.thanks as "thanksToYou" ${gift}
           where c.workspace_id = $1 and r.sender_id = any($2::bigint[]) and $3::bigint[] is not null order by r.accepted_at, c.position`,
  },
  {
    name: 'shoutouts',
    title: 'Shoutouts',
    explanation:
      'Shoutouts that you received, with the name of the person who wrote them, and those that you gave. What waits for approval, was declined or was hidden is in the file of its sender alone.',
    tables: ['activities', 'shoutouts'],
    sql: `select a.created_on as at, case when a.receiver_id = any($2::bigint[]) then 'received' else 'given' end as direction,
                 case when a.receiver_id = any($2::bigint[]) then ${nameOf('a.sender_id')} end as "from", a.description as text, a.status,
                 case when a.sender_id = any($2::bigint[]) then s.decision_reason end as "whyDeclined"
            from activities a
            left join shoutouts s on s.workspace_id = a.workspace_id and s.number = a.number
           where a.workspace_id = $1 and a.type = 'SHOUTOUT' and $3::bigint[] is not null
             and (a.sender_id = any($2::bigint[])
                  or a.receiver_id = any($2::bigint[]) and a.status = 'APPROVED' and a.hidden_at is null) order by a.number`,
  },
  {
    name: 'spending',
    title: 'What you spent gifts on',
    explanation: 'Each redemption, with what you asked for and the answer.',
    tables: ['redemptions'],
    sql: `select d.at, d.spending_option_name as option, d.retailer, d.amount, d.state, d.finished_at as "finishedAt", d.detail ->> 'requestText' as "yourRequest",
                 d.detail ->> 'note' as answer
            from redemptions d
            join certificates c on c.workspace_id = d.workspace_id and c.request_id = d.request_id and c.position = d.position
           where d.workspace_id = $1 and c.member_id = any($2::bigint[]) and $3::bigint[] is not null order by d.id`,
  },
  {
    name: 'payroll',
    title: 'Payroll',
    explanation:
      'The lines about you in files that went to payroll. The company keeps them as long as tax law demands.',
    tables: ['payroll_lines', 'payroll_exports'],
    sql: `select e.closed_at as "closedAt", l.number as file, l.amount, l.text as line
            from payroll_lines l
            join payroll_exports e on e.workspace_id = l.workspace_id and e.number = l.number
            join redemptions d on d.workspace_id = l.workspace_id and d.id = l.redemption_id
            join certificates c on c.workspace_id = d.workspace_id and c.request_id = d.request_id and c.position = d.position
           where l.workspace_id = $1 and c.member_id = any($2::bigint[]) and $3::bigint[] is not null order by l.number, l.nth`,
  },
  {
    name: 'emails',
    title: 'Emails to you',
    explanation:
      'When an email was sent to you, why, to which address, and whether the mail server took it. Their text is not stored.',
    tables: ['mails', 'approval_mails', 'manager_mails', 'digest_mails', 'gift_log'],
    sql: `select m.kind, m.state, m.address, m.sent_at as "sentAt" from mails m
            join certificates c on c.workspace_id = m.workspace_id and c.request_id = m.request_id and c.position = m.position
           where m.workspace_id = $1 and m.kind not in ('THANKS', 'DECISION') and c.member_id = any($2::bigint[]) and $3::bigint[] is not null and ${isOver('m')}
           union all
          select 'APPROVAL ' || kind, state, address, sent_at from approval_mails m where workspace_id = $1 and member_id = any($2::bigint[]) and ${isOver('m')}
           union all
          select 'MANAGER ' || kind, state, address, sent_at from manager_mails m where workspace_id = $1 and member_id = any($2::bigint[]) and ${isOver('m')}
           union all
          select 'DIGEST ' || kind, state, address, sent_at from digest_mails m where workspace_id = $1 and member_id = any($2::bigint[]) and ${isOver('m')}
           order by 4`,
  },
  {
    name: 'automations',
    title: 'What automations did for you',
    explanation:
      'Birthdays, anniversaries and other days on which the company’s automations looked at you, what they sent, and lines that you added for others.',
    tables: ['occurrences'],
    sql: `select o.for_day as day, case when o.member_id = any($2::bigint[]) then 'for you' else 'you were asked' end as relation, o.state,
                 case when o.member_id = any($2::bigint[]) and ${wasSent} then o.message end as message,
                 case when o.asked_member_id = any($2::bigint[]) or ${wasSent} then o.line end as line
            from occurrences o
           where o.workspace_id = $1 and (o.member_id = any($2::bigint[]) and o.state not in ('ASKED', 'DUE', 'SENDING') or o.asked_member_id = any($2::bigint[])) and $3::bigint[] is not null
           order by o.for_day, o.id`,
  },
  {
    name: 'decisions',
    title: 'Decisions about orders',
    explanation: 'What you decided as an approver, and comments that approvers wrote to you about your orders.',
    tables: ['order_decisions', 'order_parties'],
    sql: `select d.decided_at as at, case when r.sender_id = any($2::bigint[]) then 'to you' else 'by you' end as relation, d.decision, d.comment
            from order_decisions d
            join order_requests r on r.workspace_id = d.workspace_id and r.request_id = d.request_id
           where d.workspace_id = $1 and (d.decided_by = any($2::bigint[]) or r.sender_id = any($2::bigint[])) and $3::bigint[] is not null
           order by d.decided_at`,
  },
  {
    name: 'thank-you-notes',
    title: 'Thank-you notes for shoutouts',
    explanation: 'Notes that you wrote to people who gave you a shoutout, and notes that people wrote to you.',
    tables: ['feed_thanks'],
    sql: `select t.at, case when t.member_id = any($2::bigint[]) then 'by you' else 'to you' end as direction,
                 case when not t.member_id = any($2::bigint[]) then ${nameOf('t.member_id')} end as "from", t.text
            from feed_thanks t
            join activities a on a.workspace_id = t.workspace_id and a.number = t.number
           where t.workspace_id = $1 and (t.member_id = any($2::bigint[]) or a.sender_id = any($2::bigint[])) and $3::bigint[] is not null
           order by t.at`,
  },
  {
    name: 'comments',
    title: 'Comments and reactions',
    explanation:
      'What you wrote below shoutouts and how you reacted to them, and what people wrote below shoutouts to you or from you.',
    tables: ['feed_comments', 'feed_reactions', 'feed_posts'],
    sql: `select c.at, case when c.member_id = any($2::bigint[]) then 'by you' else 'to you' end as direction, 'comment' as kind,
                 case when not c.member_id = any($2::bigint[]) then ${nameOf('c.member_id')} end as "from", c.text, c.edited_at as "editedAt", c.hidden_at as "hiddenAt"
            from feed_comments c
           where c.workspace_id = $1 and $3::bigint[] is not null
             and (c.member_id = any($2::bigint[])
                  or c.hidden_at is null and c.number in (select coalesce(a.lead_number, a.number) from activities a
                                   where a.workspace_id = $1 and a.type = 'SHOUTOUT' and (a.sender_id = any($2::bigint[]) or a.receiver_id = any($2::bigint[]))))
           union all
          select r.at, 'by you', 'reaction', null, replace(lower(r.kind), '_', ' '), null, null
            from feed_reactions r where r.workspace_id = $1 and r.member_id = any($2::bigint[])
           order by 1`,
  },
  {
    name: 'reported',
    title: 'Reports of texts',
    explanation: 'Texts that you reported to the people team and why, and what you decided about reported texts.',
    tables: ['feed_reports', 'feed_cases'],
    sql: `select r.at, 'reported by you' as relation, c.state, r.why as text
            from feed_reports r
            join feed_cases c on c.workspace_id = r.workspace_id and c.id = r.case_id
           where r.workspace_id = $1 and r.member_id = any($2::bigint[]) and $3::bigint[] is not null
           union all
          select c.decided_at, 'decided by you', c.state, c.note from feed_cases c where c.workspace_id = $1 and c.decided_by = any($2::bigint[])
           order by 1`,
  },
  {
    name: 'place',
    title: 'Your place in the company',
    explanation:
      'Your teams, your manager, people who decide for you or for whom you decide, and budgets from which you send gifts.',
    tables: ['team_members', 'teams', 'deputies', 'budgets', 'budget_shares', 'sender_months'],
    sql: `select 'team' as what, t.name as value, null::date as "from", null::date as "until"
            from team_members tm join teams t on t.workspace_id = tm.workspace_id and t.id = tm.team_id
           where tm.workspace_id = $1 and tm.member_id = any($2::bigint[]) and $3::bigint[] is not null
           union all
          select 'manager', ${nameOf('m.manager_id')}, null, null from members m where m.workspace_id = $1 and m.id = any($2::bigint[]) and m.manager_id is not null
           union all
          select 'your deputy', ${nameOf('d.deputy_id')}, d.from_day, d.to_day from deputies d where d.workspace_id = $1 and d.member_id = any($2::bigint[])
           union all
          select 'you are the deputy of', ${nameOf('d.member_id')}, d.from_day, d.to_day from deputies d where d.workspace_id = $1 and d.deputy_id = any($2::bigint[])
           union all
          select 'your budget', b.available || ' ' || b.currency, null, null from budgets b where b.workspace_id = $1 and b.member_id = any($2::bigint[])
           union all
          select 'your share of ' || coalesce(b.shared_name, 'a shared budget'), s.amount || ' ' || b.currency, s.month, null
            from budget_shares s join budgets b on b.workspace_id = s.workspace_id and b.id = s.budget_id
           where s.workspace_id = $1 and s.member_id = any($2::bigint[])
           union all
          select 'sent in a month', m.counted || ' ' || m.currency, m.month, null from sender_months m where m.workspace_id = $1 and m.member_id = any($2::bigint[])
           order by 1, 3`,
  },
  {
    name: 'choices',
    title: 'What you have chosen, and how you sign in',
    explanation:
      'Which emails you have chosen, whether you have a code for a kiosk (the code itself is not stored), as whom your sign-ins without an account read, and programs that act as you.',
    tables: ['member_preferences', 'kiosk_codes', 'session_members', 'api_token_workspaces'],
    sql: `select 'weekly digest' as what, case when p.digest then 'on' else 'off' end as value, null::timestamptz as at
            from member_preferences p where p.workspace_id = $1 and p.member_id = any($2::bigint[]) and $3::bigint[] is not null
           union all
          select 'monthly email to managers', case when p.manager_digest then 'on' else 'off' end, null
            from member_preferences p where p.workspace_id = $1 and p.member_id = any($2::bigint[])
           union all
          select 'kiosk code', case when k.used_at is null then 'not used yet' else 'last used ' || k.used_at::date end, k.created_at
            from kiosk_codes k where k.workspace_id = $1 and k.member_id = any($2::bigint[])
           union all
          select 'sign-in', concat_ws(', ', s.way, s.browser), s.created_at
            from session_members sm join sessions s on s.id = sm.session_id where sm.workspace_id = $1 and sm.member_id = any($2::bigint[])
           union all
          select 'program that acts as you', coalesce(t.name, 'without a name'), t.created_at
            from api_token_workspaces tw join api_tokens t on t.id = tw.token_id where tw.workspace_id = $1 and tw.member_id = any($2::bigint[])
           order by 1, 3`,
  },
  {
    name: 'requests',
    title: 'Requests about your data',
    explanation:
      'Whether your erasure was asked for, and how far it has come, whether a legal hold keeps your data from being erased (not why: others may be named there), and whether you are kept out of reports.',
    tables: ['erasures', 'legal_holds', 'kept_out_members'],
    sql: `select e.requested_at as "requestedAt", 'erasure' as what, e.state, e.due_at as "beginsAt" from erasures e
           where e.workspace_id = $1 and e.member_id = any($2::bigint[]) and $3::bigint[] is not null
           union all
          select h.placed_at, 'legal hold', 'in force', null from legal_holds h
           where h.workspace_id = $1 and h.member_id = any($2::bigint[])
           union all
          select k.decided_at, 'kept out of reports', coalesce(k.reason, 'you have objected'), null from kept_out_members k
           where k.workspace_id = $1 and k.member_id = any($2::bigint[]) order by 1`,
  },
  {
    name: 'account',
    title: 'Your account and sign-ins',
    explanation:
      'The account with which you sign in to the console, and your sessions: when, how and with which browser.',
    tables: ['users', 'user_roles', 'sessions', 'sign_in_links'],
    sql: `select u.email, u.name, u.language, r.role, s.created_at as "signedInAt", s.way, s.browser, s.expires_at as "until"
            from users u
            join user_roles r on r.user_id = u.id and r.workspace_id = $1
            left join sessions s on s.user_id = u.id
           where u.id = any($3::bigint[]) and $2::bigint[] is not null order by s.created_at`,
  },
  {
    name: 'audit',
    title: 'The audit log',
    explanation:
      'What you did in the console, and what was done to your record. Other people are not named. Requests are those of the last 30 days that your browser can repeat.',
    tables: ['audit_log', 'bulk_actions', 'request_keys'],
    sql: `select t.at, t.action, case when t.actor = 'USER' and t.actor_id = any($3::bigint[]) then 'you' else lower(t.actor) end as "by",
                 case when t.action like 'member.%' and t.subject_id = any(($2::bigint[])::text[]) then 'you' else t.subject_id end as about
            from audit_log t
           where t.workspace_id = $1
             and (t.actor = 'USER' and t.actor_id = any($3::bigint[])
                  or t.action like 'member.%' and t.subject_id = any(($2::bigint[])::text[])
                  or t.action like 'user.%' and t.subject_id = any(($3::bigint[])::text[]))
           union all
          select k.created_at, 'request ' || k.operation, 'you', null
            from request_keys k
           where k.workspace_id = $1
             and (k.caller_id = any($3::bigint[]) or k.caller_id = any(array(select -record.id from unnest($2::bigint[]) as record (id))))
           order by 1`,
  },
];
