import pg from 'pg';
import { Failure, unavailable } from '../errors.ts';
import { explainRefusal } from './rights.ts';

const oldestServer = 150_000;
const connectTimeoutMs = 5_000;
const answerTimeoutMs = 10_000;

// A Turkish or Azeri locale has another lower case for I. In the locale C only ASCII letters have two cases.
const plainLetters = { upper: 'GIFTWIRE', lower: 'giftwire' };
const otherLetters = { upper: 'ÀÉÌÖŸ', lower: 'àéìöÿ' };

const advisedDatabase = `create database giftwire encoding 'UTF8' locale 'C.UTF-8' template template0`;

/**
 * Refuses a server, a database or a pooler on which promises would silently not hold: on connections of its own, which set
 * and lock nothing that a pooler could hand to somebody else. Returns a warning, or null.
 */
export async function checkServer(url: string): Promise<string | null> {
  const session = await connect(url);
  try {
    const server = await describe(session);
    refuseServer(server);
    if (server.backend !== session.processID) await refuseSharedSessions(url, session);
    if (server.lowered.endsWith(otherLetters.lower)) return null;
    return (
      `The database ${server.database} has a locale that turns ${otherLetters.upper} into ${server.lowered.split(' ')[1]}: ` +
      'e-mail addresses with such letters are told apart by their case. "C.UTF-8" would compare them as one.'
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
  lowered: string;
}

async function describe(session: Session): Promise<Server> {
  const sql = `
    select pg_backend_pid()                           as backend,
           current_setting('server_version_num')::int as version,
           current_setting('server_version')          as "versionName",
           current_database()                         as database,
           current_setting('server_encoding')         as encoding`;
  const { rows } = await session.query<Omit<Server, 'lowered'>>(sql);
  const server = rows[0] as Omit<Server, 'lowered'>;
  // In another encoding the letters might not even arrive.
  const { rows: lowered } =
    server.encoding === 'UTF8'
      ? await session.query('select lower($1::text) as lowered', [`${plainLetters.upper} ${otherLetters.upper}`])
      : { rows: [] };
  return { ...server, lowered: lowered[0]?.lowered ?? '' };
}

function refuseServer({ version, versionName, database, encoding, lowered }: Server): void {
  if (version < oldestServer)
    throw new Failure('setup', `DATABASE_URL leads to PostgreSQL ${versionName}, and Giftwire needs 15 or newer.`);
  if (encoding !== 'UTF8')
    throw new Failure(
      'setup',
      `The database ${database} has the encoding ${encoding}, which cannot hold every name: make one with "${advisedDatabase}".`,
    );
  if (!lowered.startsWith(`${plainLetters.lower} `))
    throw new Failure(
      'setup',
      `The database ${database} has a locale that turns ${plainLetters.upper} into ${lowered.split(' ')[0]}, so that one e-mail address could be ` +
        `two people: make a database with "${advisedDatabase}".`,
    );
}

const rounds = 8;

/**
 * The server has told another process id than the one that answers, so there is a pooler in between. Where it gives each
 * connection a session of its own, as PgBouncer's session mode does, two connections never see the same one and each
 * always sees the same. In other modes settings, locks and prepared statements would go astray. Asked in an order in
 * which also a pooler that takes its sessions in turn shows itself.
 */
async function refuseSharedSessions(url: string, first: Session): Promise<void> {
  const second = await connect(url);
  try {
    const firstBackend = await backendOf(first);
    const secondBackend = await backendOf(second).catch(() => {
      throw new Failure(
        'setup',
        `The pooler at DATABASE_URL gives no second session: allow at least 45 for each process.`,
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
  const { rows } = await session.query<{ backend: number }>('select pg_backend_pid() as backend');
  return rows[0]?.backend as number;
}

/** The driver's type leaves out what the server said of itself. */
type Session = pg.Client & { processID: number };

async function connect(url: string): Promise<Session> {
  const session = new pg.Client({
    connectionString: url,
    application_name: 'giftwire check',
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: answerTimeoutMs,
  });
  session.on('error', () => {});
  await session.connect().catch((error) => {
    throw explainRefusal(error) ?? unavailable(error);
  });
  return session as Session;
}
