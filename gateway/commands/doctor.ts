// `npm run admin -- doctor`: checks this installation's settings, database, disk and services, and
// with --live also live mode's requirements.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { unknownCommand } from '#auth/operator.ts'
import type { Peppers } from '#auth/pepper.ts'
import { freeBytes, megabyte, nearlyFullBytes } from '#database/disk.ts'
import { LaunchError } from '#database/launch-error.ts'
import { clinicFindings } from '../doctor/clinic-services.ts'
import { databaseFindings } from '../doctor/database.ts'
import { fault, type Finding, ok } from '../doctor/finding.ts'
import { certificateFindings, healthFindings } from '../doctor/running.ts'
import { serviceFindings } from '../doctor/services.ts'
import { judgeSettings, unset } from '../doctor/settings.ts'
import { type Config, environmentFor } from '../settings/config.ts'
import { encryptionKeysOf, peppersOf } from '../settings/credentials.ts'
import { openSecrets } from '../settings/secrets.ts'
import type { Command } from './command.ts'
import { ownerUrl } from './owner-url.ts'

const help = `Usage:
  npm run admin -- doctor [--live] [--json]

Checks every setting, the database, the disk and each configured service: whether they respond,
whether clocks agree, whether KEY_PEPPER matches the platform, which versions run on the schema, how
far replicas are behind, how old the last backup is, whether documents can be rendered, and when
each certificate expires. With --live, also lists what live mode still needs. Run it with a
gateway's environment. It changes nothing and prints no setting's value.

The exit code is 0 without faults (warnings don't count), 1 with faults, and 2 if a setting has a
wrong value.`

async function run(args: string[]): Promise<number> {
  if (args.some(arg => !['--live', '--json'].includes(arg))) throw unknownCommand(args)
  const isLive = args.includes('--live')
  const { config, findings: settings, isWrong } = judgeSettings(environmentFor({}), isLive)
  const rest = await Promise.all([
    askDatabase(config, isLive),
    serviceFindings(config),
    healthFindings(config),
    askCertificates(config),
    askClinics(config),
  ])
  const faults = new Set(settings.flatMap(one => (one.status === 'fault' ? [one.name] : [])))
  // The database checks may report the same setting again.
  const others = [diskFinding(config), ...rest.flat()].filter(({ name }) => !faults.has(name))
  const findings = [...settings, ...others]
  const hasFault = findings.some(({ status }) => status === 'fault')
  print(findings, args.includes('--json'), !hasFault)
  if (isWrong) return 2
  return hasFault ? 1 : 0
}

async function askDatabase(config: Config, isLive: boolean): Promise<Finding[]> {
  try {
    return await databaseFindings({
      url: ownerUrl(config),
      config,
      peppers: knownPeppers(config),
      isLive,
    })
  } catch (failure) {
    if (failure instanceof LaunchError) return [fault('database', failure.message)]
    throw failure
  }
}

/** Without a database, the other certificates can't be checked. */
async function askCertificates(config: Config): Promise<Finding[]> {
  try {
    return await certificateFindings(config, ownerUrl(config))
  } catch (failure) {
    if (failure instanceof LaunchError) return []
    throw failure
  }
}

async function askClinics(config: Config): Promise<Finding[]> {
  const encryptionKeys = hasSecrets(config)
    ? encryptionKeysOf(config, openSecrets(config.dataDir))
    : config.encryptionKeys
  try {
    return await clinicFindings({ url: ownerUrl(config), config, encryptionKeys })
  } catch (failure) {
    // The database checks report this failure as well.
    if (failure instanceof LaunchError) return []
    throw failure
  }
}

const hasSecrets = ({ dataDir }: Config) => existsSync(path.join(dataDir, 'secrets.json'))

/** Null if there are no peppers yet, because the first start creates them. */
const knownPeppers = (config: Config): Peppers | null =>
  config.keyPeppers.length > 0 || hasSecrets(config)
    ? peppersOf(config, openSecrets(config.dataDir))
    : null

function diskFinding({ dataDir }: Config): Finding {
  const free = Math.floor(freeBytes(dataDir) / megabyte)
  const needed = Math.floor(nearlyFullBytes / megabyte)
  const text = `${free} MB free in DATA_DIR`
  return free >= needed
    ? ok('disk', `${text}.`)
    : fault('disk', `${text}; at least ${needed} MB needed.`)
}

function print(findings: readonly Finding[], isJson: boolean, isOk: boolean): void {
  if (isJson) return console.log(JSON.stringify({ ok: isOk, findings }, null, 2))
  const isUnset = (one: Finding) => one.status === 'ok' && one.text === unset
  console.log(
    `ok       not set: ${findings
      .filter(isUnset)
      .map(({ name }) => name)
      .join(', ')}`,
  )
  for (const { name, status, text } of findings.filter(one => !isUnset(one)))
    console.log(`${status.padEnd(8)} ${name.padEnd(26)} ${text}`)
}

export const doctor: Command = { help, run }
