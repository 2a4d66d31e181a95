// Live mode's requirements for an installation, in addition to test mode's. Settings are read once
// at startup, and the database is checked repeatedly. Decided in
// docs/decisions/0131-serve-live-mode-only-where-it-is-safe.md.
import { type Connection, type Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import type { Config } from '../settings/config.ts'

/** A missing requirement. `setting` and `fix` are for the operator, and contain no setting's
 *  value. */
export type Missing = {
  /** The setting's name, as the operator sets it. */
  readonly setting: string
  readonly fix: string
}

type Requirement = Missing & { isMet(config: Config): boolean }

const requirements: readonly Requirement[] = [
  {
    setting: 'DATABASE_URL',
    fix: 'must point to your own PostgreSQL with ?sslmode=verify-full, and &sslrootcert=/path/to/ca.pem if you run your own CA.',
    isMet: ({ databaseUrl }) =>
      databaseUrl !== undefined &&
      new URL(databaseUrl).searchParams.get('sslmode') === 'verify-full',
  },
  {
    setting: 'BASE_URL',
    fix: "must be the API's public https URL.",
    isMet: ({ baseUrl }) => baseUrl?.startsWith('https:') === true,
  },
  {
    setting: 'KEY_PEPPER',
    fix: 'must be set, have at least 32 characters, and be stored apart from the database.',
    isMet: ({ keyPeppers }) => keyPeppers.length > 0,
  },
  {
    setting: 'SEAL_KEYS',
    fix: 'must be set, have at least 32 characters, and be stored apart from the database.',
    isMet: ({ encryptionKeys }) => encryptionKeys.length > 0,
  },
  {
    setting: 'SMTP_URL',
    fix: 'must point to your mail server. Without it, no email about grants, keys or endpoints is sent.',
    isMet: ({ smtpUrl }) => smtpUrl !== undefined,
  },
  {
    setting: 'S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY',
    fix: 'must name the bucket for documents and bundles, at an https URL.',
    isMet: ({ bucket }) => bucket?.endpoint.startsWith('https:') === true,
  },
]

export const missingSettings = (config: Config): Missing[] =>
  requirements.filter(({ isMet }) => !isMet(config)).map(({ setting, fix }) => ({ setting, fix }))

export type DatabaseFacts = {
  /** Whether the checking connection is encrypted. */
  readonly is_encrypted: boolean
  readonly archives: boolean
  /** Whether the operator has stated how the volume and backups are encrypted. */
  readonly is_encryption_stated: boolean
  /** Whether the last attempt to archive failed. */
  readonly is_archive_failing: boolean
  /** Whether a clinic has granted an integration access in live mode. */
  readonly is_used: boolean
}

/** Any platform role that can read live grants may run this. */
export async function databaseFacts(connection: Connection): Promise<DatabaseFacts> {
  const [facts] = await connection.run<Row & DatabaseFacts>(sql`
    select coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false)
             as is_encrypted,
           current_setting('archive_mode') <> 'off' as archives,
           exists (select from auth.encryption_statements) as is_encryption_stated,
           coalesce((select last_failed_time > coalesce(last_archived_time, '-infinity')
                       from pg_stat_archiver), false) as is_archive_failing,
           exists (select from auth.grants g where g.mode = 'live' and g.status = 'active')
             as is_used`)
  if (!facts) throw new Error('the database returned no facts')
  return facts
}

const ofDatabase: readonly (Missing & { fact: keyof DatabaseFacts })[] = [
  {
    fact: 'is_encrypted',
    setting: 'DATABASE_URL',
    fix: 'must point to a PostgreSQL server with ssl = on.',
  },
  {
    fact: 'archives',
    setting: 'archive_mode',
    fix: 'must be on in PostgreSQL, with an archive_command that copies its log to another machine.',
  },
  {
    fact: 'is_encryption_stated',
    setting: 'encryption',
    fix: 'must be recorded for the volume and the backups: npm run admin -- encryption --help',
  },
]

export const missingOf = (facts: DatabaseFacts): Missing[] =>
  ofDatabase.filter(({ fact }) => !facts[fact]).map(({ setting, fix }) => ({ setting, fix }))
