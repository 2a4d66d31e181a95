// Simulates each cluster machine as a network namespace: the namespace has its own address on a
// bridge, and its processes find the node's files at a real machine's paths. A partition silently
// drops packets inside the namespace, like a broken network.
import type { Node, Values } from '../values.ts'
import { places } from '../values.ts'
import type { Release, State } from './state.ts'

const prefix = 'th-'
const bridge = 'th-bridge'
export const namespaceOf = (node: string) => `${prefix}${node}`

export function run(command: readonly string[], input?: string): string {
  const stdin = input === undefined ? 'ignore' : Buffer.from(input)
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { stdin })
  if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${stderr.toString().trim()}`)
  return stdout.toString()
}

/** This machine's address on the bridge, used by test clients and receivers. */
export const outside = ({ network }: Values) => network.replace(/\d+\/\d+$/, '1')

export function createNetwork(values: Values): void {
  const bits = values.network.split('/')[1] ?? '24'
  const ip = (...args: string[]) => run(['ip', ...args])
  ip('link', 'add', bridge, 'type', 'bridge')
  ip('addr', 'add', `${outside(values)}/${bits}`, 'dev', bridge)
  ip('link', 'set', bridge, 'up')
  for (const { name, address } of values.nodes) {
    const space = namespaceOf(name)
    ip('netns', 'add', space)
    ip('link', 'add', space, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space)
    ip('link', 'set', space, 'master', bridge, 'up')
    ip('-n', space, 'addr', 'add', `${address}/${bits}`, 'dev', 'eth0')
    ip('-n', space, 'link', 'set', 'eth0', 'up')
    ip('-n', space, 'link', 'set', 'lo', 'up')
    ip('-n', space, 'route', 'add', 'default', 'via', outside(values))
  }
}

export function removeNetwork(): void {
  for (const space of namespaces()) {
    killAll(space)
    run(['ip', 'netns', 'del', space])
  }
  // The kernel removes a namespace later, but its link must be gone immediately.
  const links = run(['ip', '-o', 'link']).matchAll(/^\d+: (th-[\w-]+)[@:]/gm)
  for (const [, link = ''] of links) Bun.spawnSync(['ip', 'link', 'del', link])
}

export const namespaces = (): string[] =>
  run(['ip', 'netns', 'list'])
    .split('\n')
    .map(line => line.split(' ')[0] ?? '')
    .filter(name => name.startsWith(prefix))

/** All of a node's processes, including those that PostgreSQL started. */
export const processesOf = (space: string): number[] =>
  run(['ip', 'netns', 'pids', space]).trim().split('\n').filter(Boolean).map(Number)

export function signalAll(space: string, signal: NodeJS.Signals): void {
  for (const pid of processesOf(space)) Bun.spawnSync(['kill', `-${signal}`, String(pid)])
}

const killAll = (space: string) => {
  for (let tries = 0; tries < 20 && processesOf(space).length > 0; tries++) {
    signalAll(space, 'SIGKILL')
    Bun.sleepSync(50)
  }
}

/** Drops all of the node's network packets, so it can reach only itself. */
export function partition(node: string): void {
  const rules = `table inet partition {
    chain in { type filter hook input priority 0; policy accept; iif "eth0" drop; }
    chain out { type filter hook output priority 0; policy accept; oif "eth0" drop; }
  }`
  run(['ip', 'netns', 'exec', namespaceOf(node), 'nft', '-f', '-'], rules)
}

export function heal(node: string): void {
  const nft = ['ip', 'netns', 'exec', namespaceOf(node), 'nft']
  Bun.spawnSync([...nft, 'delete', 'table', 'inet', 'partition'])
}

const enterScript = `set -eu
config=$1 data=$2 backup=$3 hosts=$4 release=$5; shift 5
mount --bind "$config" ${places.config}
mount --bind "$data" ${places.data}
mount --bind "$backup" ${places.backup}
mount --bind "$hosts" /etc/hosts
mount --bind "$release" ${places.program}
cd ${places.program}
exec "$@"`

/** The command line that runs a command on a node as the given user. Only PostgreSQL refuses
 *  root. */
export function commandOn(
  state: State,
  node: Pick<Node, 'name'>,
  { user, release }: { user?: string; release?: Release },
  command: readonly string[],
): string[] {
  const { config, data, hosts } = state.folders(node.name)
  const drop =
    user === 'postgres' ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'] : []
  const bound = [config, data, state.backup, hosts, release ?? state.release]
  const inside = ['sh', '-c', enterScript, 'enter', ...bound, ...drop, ...command]
  return ['ip', 'netns', 'exec', namespaceOf(node.name), ...inside]
}
