const order = '01a1df76-7923-7084-a702-6abd76aadac6';

/** The examples in each command's `--help`. A test checks that they use options that the command has. */
export const examples: Readonly<Record<string, readonly string[]>> = {
  '': [
    'npx giftwire serve        # start the service, as "npm start" does',
    'npx giftwire token create --workspace 1 --name "Payroll"',
    'npx giftwire order list   # what was ordered lately',
    'npx giftwire doctor       # what is wrong, and what to do about it',
  ],
  serve: ['npx giftwire serve', 'PORT=9000 GIFTWIRE_DEMO=0 npx giftwire serve'],
  send: [
    'export GIFTWIRE_TOKEN=gw_test_…',
    'npx giftwire send --to ada@example.com --amount 25 --message "Thank you!"',
    'npx giftwire send --employee-number 1001 --amount 25.50 --message "Well done"',
  ],
  'workspace create': [
    'npx giftwire workspace create --name "Acme"',
    'npx giftwire workspace create --name "Acme Québec" --language FR_CA',
  ],
  'workspace update': [
    'npx giftwire workspace update 1 --brand-name "Acme" --colour "#8C2459"',
    'npx giftwire workspace update 1 --time-zone America/Toronto --gift-days 365',
    'npx giftwire workspace update 1 --unknown-employee-numbers refuse',
    'npx giftwire workspace update 1 --name "Acme Canada" --leavers accept',
  ],
  'workspace list': ['npx giftwire workspace list'],
  'token create': [
    'npx giftwire token create --workspace 1 --name "Payroll"',
    'npx giftwire token create --workspace 1 --scopes orders:write,orders:read',
    'npx giftwire token create --workspace 1,2 --name "Bot" --expires 90d',
    'npx giftwire token create --workspace 1 --member ada@example.com',
  ],
  'token list': ['npx giftwire token list'],
  'token revoke': ['npx giftwire token revoke 3'],
  'token rotate': [
    'npx giftwire token rotate 3                 # the old secret ends at once',
    'npx giftwire token rotate 3 --overlap 24h   # it works for another day',
  ],
  'admin link': [
    'npx giftwire admin link --email ada@example.com',
    'npx giftwire admin link --email ada@example.com --role auditor --workspace 2',
  ],
  'admin list': ['npx giftwire admin list --workspace 1'],
  'admin role': ['npx giftwire admin role ada@example.com people_team --workspace 1'],
  'admin revoke': ['npx giftwire admin revoke ada@example.com --workspace 1'],
  'admin sign-out': ['npx giftwire admin sign-out ada@example.com'],
  'members import': [
    'npx giftwire members import people.csv --workspace 1 --dry-run',
    'npx giftwire members import people.csv --workspace 1 --map "CC=costCentre"',
  ],
  'members export': [
    'npx giftwire members export people.csv --workspace 1',
    'npx giftwire members export --workspace 1 --include-inactive > everybody.csv',
  ],
  'members split': [
    'npx giftwire members split john@example.com --workspace 1 --move email,login',
    'npx giftwire members split id:17 --workspace 1 --move employeeNumber --yes',
  ],
  'members merge': ['npx giftwire members merge ada.l@example.com ada@example.com --workspace 1'],
  'reason list': ['npx giftwire reason list --workspace 1'],
  'reason add': ['npx giftwire reason add "Mentoring" --workspace 1'],
  'reason update': [
    'npx giftwire reason update 2 --description "Great teamwork" --workspace 1',
    'npx giftwire reason update 2 --default --workspace 1',
  ],
  'reason retire': ['npx giftwire reason retire 2 --workspace 1'],
  'order list': [
    'npx giftwire order list',
    'npx giftwire order list --workspace 1 --status FAILED --limit 100',
    `npx giftwire order list --before ${order}`,
  ],
  'order show': [`npx giftwire order show ${order}`],
  'order retry': [`npx giftwire order retry ${order}`],
  'gift list': [
    'npx giftwire gift list --workspace 1 --delivery FAILED',
    'npx giftwire gift list --workspace 1 --state ISSUED --to 2026-11-30',
  ],
  'gift show': ['npx giftwire gift show 90210 --workspace 1'],
  'gift resend': ['npx giftwire gift resend 90210 --workspace 1'],
  'gift correct': ['npx giftwire gift correct 90210 ada@example.com --workspace 1'],
  'gift cancel': ['npx giftwire gift cancel 90210 --workspace 1'],
  'gift extend': [
    'npx giftwire gift extend 90210 2027-03-31 --workspace 1',
    'npx giftwire gift extend 90210 never --workspace 1',
  ],
  'gift print': [
    'npx giftwire gift print one.html --ids 90210 --workspace 1',
    'npx giftwire gift print two.html --ids 90210,90211 --per-page 8 --workspace 1',
  ],
  'outbox list': ['npx giftwire outbox list', 'npx giftwire outbox list --workspace 1 --limit 100'],
  'outbox show': ['npx giftwire outbox show', 'npx giftwire outbox show 90210-reminder-1'],
  'outbox open': ['npx giftwire outbox open', 'npx giftwire outbox open 90210'],
  'clock advance': ['npx giftwire clock advance 8d --workspace 1'],
  'clock show': ['npx giftwire clock show --workspace 1'],
  listen: [
    'npx giftwire listen',
    'npx giftwire listen --types order.completed,order.failed --since 1h',
    'npx giftwire listen --forward-to http://127.0.0.1:3000/hook --from 1',
  ],
  'webhook create': [
    'npx giftwire webhook create https://hooks.example.com/gifts --workspace 1',
    'npx giftwire webhook create https://… --types order.failed --workspace 1',
  ],
  'webhook list': ['npx giftwire webhook list --workspace 1'],
  'webhook update': [
    'npx giftwire webhook update 2 --types order.completed --workspace 1',
    'npx giftwire webhook update 2 --url https://new.example.com --workspace 1',
  ],
  'webhook rotate': ['npx giftwire webhook rotate 2 --workspace 1'],
  'webhook enable': ['npx giftwire webhook enable 2 --workspace 1'],
  'webhook disable': ['npx giftwire webhook disable 2 --workspace 1'],
  'webhook delete': ['npx giftwire webhook delete 2 --workspace 1'],
  'webhook test': [
    'npx giftwire webhook test 2 --workspace 1',
    'npx giftwire webhook test 2 --type shoutout.given --workspace 1',
  ],
  'webhook attempts': ['npx giftwire webhook attempts 2 --workspace 1'],
  'webhook replay': [
    'npx giftwire webhook replay 2 --event evt_1_42 --workspace 1',
    'npx giftwire webhook replay 2 --from 40 --workspace 1',
  ],
  doctor: ['npx giftwire doctor', 'npx giftwire doctor --json'],
  migrate: ['npx giftwire migrate'],
  env: ['npx giftwire env'],
};
