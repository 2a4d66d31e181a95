// Chooses which Patroni to run. Debian 12's is too old (values.yaml explains why), so Debian 13's,
// which is pure Python, is unpacked into .data/.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { places } from '../values.ts'
import { run } from './network.ts'
import type { State } from './state.ts'

const versionMin = 4
const source = 'deb http://deb.debian.org/debian trixie main\n'

const majorOf = (text: string) => Number(/patroni (\d+)/.exec(text)?.[1] ?? 0)

function unpack(folder: string): void {
  for (const name of ['lists/partial', 'archives/partial']) {
    mkdirSync(path.join(folder, name), { recursive: true })
  }
  const at = (name: string) => path.join(folder, name)
  writeFileSync(at('sources.list'), source)
  const places = {
    'Dir::Etc::sourcelist': at('sources.list'),
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::State::lists': at('lists'),
    'Dir::Cache::archives': at('archives'),
    'Dir::Cache::pkgcache': '',
    'Dir::Cache::srcpkgcache': '',
    'APT::Sandbox::User': 'root',
  }
  const settings = Object.entries(places).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  run(['apt-get', '-qq', ...settings, 'update'])
  const download = ['apt-get', '-qq', ...settings, 'download', 'patroni']
  run(['sh', '-c', 'cd "$1" && shift && exec "$@"', 'sh', folder, ...download])
  const file = readdirSync(folder).find(name => name.startsWith('patroni_')) ?? ''
  run(['dpkg', '-x', at(file), folder])
}

/** The command that runs a new enough Patroni on a node. */
export function patroniCommand(state: State): string[] {
  const { stdout } = Bun.spawnSync(['/usr/bin/patroni', '--version'])
  if (majorOf(stdout.toString()) >= versionMin) return ['/usr/bin/patroni']
  const folder = path.join(state.release, '.data', 'patroni')
  if (!existsSync(path.join(folder, 'usr', 'bin', 'patroni'))) unpack(folder)
  const inside = `${places.program}/.data/patroni/usr`
  const library = `PYTHONPATH=${inside}/lib/python3/dist-packages`
  return ['/usr/bin/env', library, '/usr/bin/python3', `${inside}/bin/patroni`]
}
