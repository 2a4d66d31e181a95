// `deploy/cluster/down`: stops this machine's cluster and removes its namespaces and data.
// --keep-backup keeps the backup, the authority and the secrets.
import { existsSync, readFileSync, rmSync, rmdirSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { places } from '../values.ts'
import { removeNetwork } from './network.ts'
import { openState } from './state.ts'

const { values: options } = parseArgs({
  options: { data: { type: 'string' }, 'keep-backup': { type: 'boolean', default: false } },
})
const state = openState(options.data)
const pidFile = path.join(state.folder, 'supervisor.pid')
if (existsSync(pidFile)) Bun.spawnSync(['kill', '-9', readFileSync(pidFile, 'utf8')])
removeNetwork()
for (const file of [pidFile, state.socket]) rmSync(file, { force: true })
// A restore needs the backup, the authority and the secrets.
const lost = options['keep-backup']
  ? [path.join(state.folder, 'nodes'), state.access]
  : [state.folder]
for (const one of lost) rmSync(one, { recursive: true, force: true })
for (const folder of [places.config, places.data, places.program]) {
  // Removes only the empty folders where each node's own folders were mounted.
  if (existsSync(folder)) rmdirSync(folder)
}
