import { Failure, unavailable } from '../errors.ts';
import { type Queryable, queryOne } from './database.ts';
import { mostConnections } from './pools.ts';
import { explainRefusal } from './rights.ts';
import { ServerClient } from './servers.ts';

const oldestServer = 150_000;
const connectTimeoutMs = 5_000;
const answerTimeoutMs = 10_000;

// A Turkish or Azeri locale has another lower case for I. In the locale C only ASCII letters have two cases.
const plainLetters = { upper: 'GIFTWIRE', lower: 'giftwire' };
const otherLetters = { upper: 'ÀÉÌÖŸ', lower: 'àéìöÿ' };

const advisedDatabase = `create database giftwire encoding 'UTF8' locale 'C.UTF-8' template template0`;

/**
 * Refuses a server, a database or a pooler on which promises would silently not hold. It uses connections of its own, and
 * sets and locks nothing on them, because a pooler could give their sessions to another client. Returns a warning, or null.
 */
export async function checkServer(url: string): Promise<string | null> {
  const session = await connect(url);
  try {
    const server = await describe(session);
    refuseServer(server);
    if (server.backend !== session.processId) await refuseSharedSessions(url, session);
    if (server.lowered.endsWith(otherLetters.lower)) return null;
    return (
      `The database ${server.database} has a locale that turns ${otherLetters.upper} into ${server.lowered.split(' ')[1]}: ` +
      'email addresses with such letters are told apart by their case. "C.UTF-8" would compare them as one.'
    );
  } finally {
    await session.end().catch(() => {});
  }
}

interface Server {
  backend: number;
  version: number;
  versionName: string;
  database: string;
  encoding: string;
  /** The test letters as the database's locale lowers them; empty in another encoding than UTF-8. */
  lowered: string;
}

type Lowered = Pick<Server, 'lowered'>;

async function describe(session: Session): Promise<Server> {
  const sql = `
    select pg_backend_pid()                           as backend,
           current_setting('server_version_num')::int as version,
           current_setting('server_version')          as "versionName",
           current_database()                         as database,
           current_setting('server_encoding')         as encoding`;
  const server = await queryOne<Omit<Server, 'lowered'>>(session, sql);
  // In another encoding the letters might not even arrive.
  if (server.encoding !== 'UTF8') return { ...server, lowered: '' };
  const letters = `${plainLetters.upper} ${otherLetters.upper}`;
  return { ...server, ...(await queryOne<Lowered>(session, 'select lower($1::text) as lowered', [letters])) };
}

function refuseServer({ version, versionName, database, encoding, lowered }: Server): void {
  if (version < oldestServer)
    throw new Failure('setup', `DATABASE_URL points to PostgreSQL ${versionName}: Giftwire needs 15 or later.`);
  if (encoding !== 'UTF8')
    throw new Failure(
      'setup',
      `The database ${database} has the encoding ${encoding}, which cannot hold every name: make one with "${advisedDatabase}".`,
    );
  if (!lowered.startsWith(`${plainLetters.lower} `))
    throw new Failure(
      'setup',
      `The database ${database} has a locale that turns ${plainLetters.upper} into ${lowered.split(' ')[0]}, so that one email address could be ` +
        `two people: make a database with "${advisedDatabase}".`,
    );
}

const rounds = 8;

/**
 * The process id at connecting is not the one that answers, so there is a pooler in between. If it gives each connection a
 * session of its own, as PgBouncer's session mode does, each of two connections always gets the same session, and never
 * the other's. In other modes settings, locks and prepared statements would reach the wrong session. The sequence of
 * questions also detects a pooler that uses its sessions in turn.
 */
async function refuseSharedSessions(url: string, first: Session): Promise<void> {
  const second = await connect(url);
  try {
    const firstBackend = await backendOf(first);
    const secondBackend = await backendOf(second).catch(() => {
      throw new Failure(
        'setup',
        `The pooler at DATABASE_URL gives no second session: allow at least ${mostConnections('all')} for each process.`,
      );
    });
    for (let round = 0; round < rounds; round++) {
      const seen = [await backendOf(second), await backendOf(first), await backendOf(first), await backendOf(second)];
      const expected = [secondBackend, firstBackend, firstBackend, secondBackend];
      if (firstBackend !== secondBackend && String(seen) === String(expected)) continue;
      throw new Failure(
        'setup',
        'The pooler at DATABASE_URL shares sessions among its clients (pool_mode transaction or statement): ' +
          'set pool_mode = session for this database, or connect to PostgreSQL directly.',
      );
    }
  } finally {
    await second.end().catch(() => {});
  }
}

async function backendOf(session: Session): Promise<number> {
  const { backend } = await queryOne<{ backend: number }>(session, 'select pg_backend_pid() as backend');
  return backend;
}

interface Session extends Queryable {
  /** The process id that the server named when the connection was made. A pooler names its own. */
  processId: number;
  end(): Promise<void>;
}

async function connect(url: string): Promise<Session> {
  const client = new ServerClient({
    connectionString: url,
    application_name: 'giftwire check',
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: answerTimeoutMs,
  });
  client.on('error', () => {});
  await client.connect().catch((error) => {
    throw explainRefusal(error) ?? unavailable(error);
  });
  return {
    // The driver's type leaves it out.
    processId: (client as ServerClient & { processID: number }).processID,
    query: async <Row>(sql: string, values: readonly unknown[] = []) =>
      (await client.query(sql, [...values])).rows as Row[],
    end: () => client.end(),
  };
}
