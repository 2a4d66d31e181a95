// `npm run doctor`: whether the settings, the database and the disk of this installation are right,
// and with --live what live mode lacks.
import { freeBytes, megabyte, nearlyFullBytes } from '#database/disk.ts'
import { type ConnectionPool, openPool } from '#database/pool.ts'
import { isLocal } from '../local/marks.ts'
import {
  databaseFacts,
  type DatabaseFacts,
  liveSettings,
  missingOf,
  missingSettings,
} from '../live/requirements.ts'
import { type Config, ConfigError, readConfig } from '../server/config.ts'
import { ownerUrl } from './owner-url.ts'
import { runCommand } from './run.ts'

const help = `Usage:
  npm run doctor
  npm run doctor -- --live

Reads the settings, and asks the database and the disk. With --live it also names each setting that
live mode needs and that is missing, and how to set it. Run it with the environment of the gateway.

The exit code is 0 if all is right, 1 if something is missing, and 2 if a setting has a wrong value.`

type Finding = { readonly name: string; readonly fault: string | null }

async function run(args: string[]): Promise<number> {
  const unknown = args.find(arg => arg !== '--live')
  if (unknown !== undefined) {
    console.log(help)
    return unknown === '--help' ? 0 : 2
  }
  const config = configOrFault()
  if (typeof config === 'string') return report([{ name: 'settings', fault: config }], 2)
  const { database, facts } = await askDatabase(config)
  const findings: Finding[] = [
    { name: 'settings', fault: null },
    diskFinding(config),
    { name: 'database', fault: database },
    ...(args.includes('--live') ? liveFindings(config, facts) : []),
  ]
  return report(findings, 1)
}

function configOrFault(): Config | string {
  try {
    return readConfig()
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

function diskFinding({ dataDir }: Config): Finding {
  const free = Math.floor(freeBytes(dataDir) / megabyte)
  const needed = Math.floor(nearlyFullBytes / megabyte)
  return {
    name: 'disk',
    fault:
      free >= needed ? null : `${free} MB are free where DATA_DIR is, and ${needed} should be.`,
  }
}

type Asked = { readonly database: string | null; readonly facts: DatabaseFacts | null }

async function askDatabase(config: Config): Promise<Asked> {
  let pool: ConnectionPool | undefined
  try {
    pool = openPool({ url: ownerUrl(config), size: 1, name: 'doctor' })
    return { database: null, facts: await pool.use(databaseFacts) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { database: `does not answer: ${reason}`, facts: null }
  } finally {
    await pool?.close()
  }
}

function liveFindings(config: Config, facts: DatabaseFacts | null): Finding[] {
  if (isLocal(config)) {
    const fault =
      'has invented patients, on this machine only. With the settings of the gateway this names what it lacks; deploy/README.md has the list.'
    return [{ name: 'live mode', fault }]
  }
  const missing = [...missingSettings(config), ...(facts ? missingOf(facts) : [])]
  const archive: Finding[] =
    facts?.archives === true && facts.is_archive_failing
      ? [{ name: 'archive_command', fault: 'failed when it ran last: see the log of PostgreSQL.' }]
      : []
  return [
    ...[...liveSettings, ...(facts ? ['archive_mode'] : [])].map(name => ({
      name,
      fault: missing.find(one => one.setting === name)?.fix ?? null,
    })),
    ...archive,
  ]
}

function report(findings: readonly Finding[], failed: number): number {
  for (const { name, fault } of findings) {
    console.log(fault === null ? `ok       ${name}` : `missing  ${name} ${fault}`)
  }
  return findings.every(({ fault }) => fault === null) ? 0 : failed
}

runCommand(run)
