// The database URL for operator commands.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { LaunchError } from '#database/launch-error.ts'
import type { Config } from '../settings/config.ts'
import { openSecrets } from '../settings/secrets.ts'

/** The database at DATABASE_URL, or the one that `npm start` runs in DATA_DIR. */
export function ownerUrl(config: Config): string {
  if (config.databaseUrl !== undefined) return config.databaseUrl
  const port = path.join(config.dataDir, 'postgres.port')
  if (!existsSync(port)) {
    throw new LaunchError(
      `There is no database in ${config.dataDir} yet. Run npm start, or set DATABASE_URL.`,
    )
  }
  const password = openSecrets(config.dataDir)('databasePassword')
  return `postgres://app:${password}@127.0.0.1:${readFileSync(port, 'utf8').trim()}/app`
}
