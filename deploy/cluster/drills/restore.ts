// `deploy/cluster/restore-drill`: backs up the running cluster, damages the data, destroys every
// machine, restores an empty cluster from the backup to just before the damage, and verifies the
// restored rows, events and audit log. The drill prints how long each step took.
import path from 'node:path'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { until } from '../local/control.ts'
import { databasesOf, primaryOf } from '../local/databases.ts'
import { commandOn, run } from '../local/network.ts'
import { readValuesAsWritten } from '../local/prepare.ts'
import { openState } from '../local/state.ts'
import { runOnApp } from '../local/up.ts'
import { places } from '../values.ts'
import { openClient } from './client.ts'
import { keepReport } from './report.ts'
import { patient } from './writer.ts'

const { values: options } = parseArgs({
  options: {
    data: { type: 'string' },
    apps: { type: 'string', default: '2' },
    writes: { type: 'string', default: '200' },
  },
})
const state = openState(options.data)
const folder = path.join(import.meta.dir, '../local')
const data = options.data === undefined ? [] : [`--data=${options.data}`]

async function openPrimary() {
  const { values, secrets } = readValuesAsWritten(state)
  const node = await until('a primary', 60, async () =>
    primaryOf(await databasesOf(values, state.authority)),
  )
  const on = (command: string[]) =>
    run(commandOn(state, { name: node }, { user: 'postgres' }, command))
  const psql = ['psql', '-AtqX', '-h', places.data, '-U', 'postgres', values.postgres.database]
  const backrest = [
    'pgbackrest',
    `--config=${places.config}/pgbackrest.conf`,
    `--stanza=${values.name}`,
  ]
  return {
    values,
    secrets,
    query: (sql: string) => on([...psql, '-c', sql]).trim(),
    backrest: (...args: string[]) => on([...backrest, ...args]),
  }
}

const counting = `
  select json_build_object('patients', (select count(*) from test.patients),
    'events', (select count(*) from test.events), 'audited', (select count(*) from audit.entries))`

async function writePatients(count: number, name: string): Promise<void> {
  const access = JSON.parse(readFileSync(state.access, 'utf8'))
  const call = openClient(access)
  for (let at = 0; at < count; at++) {
    const write = { key: `${name}-${at}`, body: patient(`${name}-${at}`) }
    const answer = await call(access.key, '/v1/patients', write)
    if (answer?.status !== 201) throw new Error(`a write returned ${answer?.status}`)
  }
}

const times: Record<string, number> = {}
async function timed<T>(name: string, work: () => Promise<T> | T): Promise<T> {
  const began = performance.now()
  const result = await work()
  times[name] = Math.round((performance.now() - began) / 100) / 10
  return result
}

async function main(): Promise<boolean> {
  const before = await openPrimary()
  const name = `restore-${process.pid}`
  await timed('backup', () => before.backrest('--type=full', 'backup'))
  await writePatients(Number(options.writes), `${name}-kept`)
  // Audit rows are written after the response.
  await Bun.sleep(2000)
  const expected = before.query(counting)
  const moment = before.query('select clock_timestamp()')
  await Bun.sleep(1000)
  await writePatients(20, `${name}-later`)
  before.query('delete from test.events')
  before.query('select pg_switch_wal()')
  await until('the archive', 120, async () => {
    const waiting = before.query(
      `select count(*) from pg_ls_archive_statusdir() where name like '%.ready'`,
    )
    return waiting === '0'
  })
  const bun = process.execPath
  run([bun, path.join(folder, 'down.ts'), '--keep-backup', ...data])
  await timed('restore', () =>
    run([
      bun,
      path.join(folder, 'up.ts'),
      `--restore=${moment}`,
      `--apps=${options.apps}`,
      ...data,
    ]),
  )
  const after = await openPrimary()
  const found = after.query(counting)
  const isSame = (['patients', 'events'] as const).every(
    kind => JSON.parse(expected)[kind] === JSON.parse(found)[kind],
  )
  const audit = await timed('audit', () =>
    runOnApp(state, after.values, after.secrets, ['gateway/commands/admin.ts', 'audit', 'verify']),
  )
  const isVerified = audit.includes('Nothing was changed, removed or added.')
  const report = {
    moment,
    expected: JSON.parse(expected),
    found: JSON.parse(found),
    isSame,
    isVerified,
    seconds: times,
  }
  keepReport('restore', report)
  console.log(JSON.stringify(report, null, 2))
  return isSame && isVerified
}

main().then(
  isRight => process.exit(isRight ? 0 : 1),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  },
)
