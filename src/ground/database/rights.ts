import pg from 'pg';
import { Failure } from '../errors.ts';
import { type Queryable, queryOne } from './database.ts';

/** Why the server refuses the connection, if DATABASE_URL or rights are the reason; null for other errors. */
export function explainRefusal(error: unknown): Failure | null {
  if (!(error instanceof pg.DatabaseError)) return null;
  const advice = refusals[error.code ?? ''];
  return advice ? new Failure('setup', `The database refuses the connection (${error.message}): ${advice}.`) : null;
}

const refusals: Record<string, string> = {
  '28P01': 'correct the user and the password in DATABASE_URL',
  '28000': 'correct the user in DATABASE_URL, or let that user in through pg_hba.conf',
  '3D000':
    `correct the name in DATABASE_URL, or make the database with "create database giftwire owner <user> encoding 'UTF8' ` +
    `locale 'C.UTF-8' template template0"`,
  '42501': 'run "grant connect on database <name> to <user>" as its owner',
};

interface Rights {
  role: string;
  database: string;
  schema: string | null;
  mayCreateExtension: boolean;
  mayCreateTables: boolean;
  hasTrigrams: boolean;
}

/** Checks that the role may make the schema. Runs before a migration, so that none stops half-way. */
export async function checkRightsToMigrate(database: Queryable): Promise<void> {
  const rights = await queryOne<Rights>(
    database,
    `select current_user                                                    as role,
            current_database()                                              as database,
            current_schema()                                                as schema,
            has_database_privilege(current_database(), 'create')
              or exists (select from pg_extension where extname = 'pg_trgm')  as "mayCreateExtension",
            coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreateTables",
            exists (select from pg_available_extensions where name = 'pg_trgm') as "hasTrigrams"`,
  );
  const { role, database: name, schema } = rights;
  if (!rights.hasTrigrams)
    throw new Failure('setup', 'The server lacks the extension pg_trgm: install its package postgresql-contrib.');
  const grants = [
    ...(rights.mayCreateExtension ? [] : [`grant create on database ${quoted(name)} to ${quoted(role)}`]),
    ...(rights.mayCreateTables ? [] : [`grant usage, create on schema ${schema ?? 'public'} to ${quoted(role)}`]),
  ];
  if (grants.length > 0)
    throw new Failure(
      'setup',
      `The role ${role} may not make the schema in the database ${name}: run "${grants.join('; ')}" there as a ` +
        'superuser, or migrate as another role (docs/operate.md, Permissions in the database).',
    );
}

/** Checks that the role may run the service on the tables, which another role may own. Passes if there are no tables yet. */
export async function checkRightsToRun(database: Queryable): Promise<void> {
  const lacking = await database.query<{ role: string; owner: string; name: string }>(
    `select current_user as role, pg_get_userbyid(c.relowner) as owner, c.oid::regclass::text as name
       from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = current_schema()
        and to_regclass('migrations') is not null
        and c.relkind in ('r', 'S')
        and case when c.relkind = 'S' then not has_sequence_privilege(c.oid, 'usage')
                                        or not has_sequence_privilege(c.oid, 'update')
                 else not has_schema_privilege(n.oid, 'usage')
                   or not has_table_privilege(c.oid, 'select')
                   or not has_table_privilege(c.oid, 'insert')
                   or not has_table_privilege(c.oid, 'update')
                   or not has_table_privilege(c.oid, 'delete') end
      order by name`,
  );
  const [first] = lacking;
  if (!first) return;
  const names = lacking.slice(0, 3).map(({ name }) => name);
  const more = lacking.length > names.length ? ` and ${lacking.length - names.length} more` : '';
  throw new Failure(
    'setup',
    `The role ${first.role} lacks rights to ${names.join(', ')}${more}: connect as ${first.owner}, or run the grants of ` +
      'docs/operate.md (Permissions in the database) as that role.',
  );
}

/** If the operator can do something about a migration that the server refused: an error that says what to do. */
export function explainMigration(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  if (error.code === '42501')
    return new Failure(
      'setup',
      `The database does not allow the migration (${error.message}): migrate as the role that owns the tables ` +
        '(docs/operate.md, Permissions in the database).',
      { cause: error },
    );
  if (error.code === '23503')
    return new Failure(
      'setup',
      `A row of the table ${error.table} stops the migration (${error.detail}): it was not written by Giftwire. ` +
        'Nothing was changed. Correct that row with SQL, and start again.',
      { cause: error },
    );
  return error;
}

function quoted(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : pg.escapeIdentifier(name);
}
