// Runs every node's services, as systemd does on a real machine: each runs in its namespace and is
// restarted one second after it exits. `up` starts the supervisor in the background. Other commands
// use its socket to stop or start a service, or to start it from another checkout.
import { mkdirSync, openSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Service, servicesOf } from '../services.ts'
import { readValuesAsWritten } from './prepare.ts'
import { commandOn } from './network.ts'
import { openState, type State } from './state.ts'

const restartSeconds = 1

type Running = {
  readonly node: string
  readonly service: Service
  release: string
  isWanted: boolean
  starts: number
  child?: Bun.Subprocess | undefined
}

function launch(state: State, running: Running): void {
  const { node, service, release } = running
  const log = openSync(state.log(`${node}-${service.name}`), 'a')
  const { user, command, settings, secrets } = service
  running.starts++
  const child = Bun.spawn(commandOn(state, { name: node }, { user, release }, [...command]), {
    env: {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      LANG: 'C.UTF-8',
      HOME: '/tmp',
      ...settings,
      ...secrets,
    },
    stdin: 'ignore',
    stdout: log,
    stderr: log,
    async onExit() {
      if (running.child === child) running.child = undefined
      await Bun.sleep(restartSeconds * 1000)
      if (running.isWanted && running.child === undefined) launch(state, running)
    },
  })
  running.child = child
}

async function stop(running: Running): Promise<void> {
  running.isWanted = false
  const { child } = running
  if (child === undefined) return
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), running.service.stopSeconds * 1000)
  await child.exited
  clearTimeout(late)
  if (running.child === child) running.child = undefined
}

function start(state: State, running: Running, release?: string): void {
  running.isWanted = true
  if (release !== undefined) running.release = release
  if (running.child === undefined) launch(state, running)
}

const stateOf = ({ node, service, child, starts, release }: Running) => ({
  node,
  service: service.name,
  pid: child?.pid ?? null,
  starts,
  release,
})

function main(folder: string | undefined): void {
  const state = openState(folder)
  const { values, secrets } = readValuesAsWritten(state)
  mkdirSync(path.dirname(state.log('')), { recursive: true })
  const all: Running[] = values.nodes.flatMap(node =>
    servicesOf(values, secrets, node).map(service => ({
      node: node.name,
      service,
      release: state.release,
      isWanted: false,
      starts: 0,
    })),
  )
  const chosen = (url: URL) => {
    const [node, service] = [url.searchParams.get('node'), url.searchParams.get('service')]
    return all.filter(
      one =>
        (node === null || one.node === node) && (service === null || one.service.name === service),
    )
  }
  Bun.serve({
    unix: state.socket,
    fetch(request) {
      const url = new URL(request.url)
      const release = url.searchParams.get('release') ?? undefined
      const those = chosen(url)
      if (url.pathname === '/start') for (const one of those) start(state, one, release)
      if (url.pathname === '/stop') for (const one of those) void stop(one)
      return Response.json(those.map(stateOf))
    },
  })
  writeFileSync(path.join(state.folder, 'supervisor.pid'), String(process.pid))
}

if (import.meta.main) main(process.argv[2])
