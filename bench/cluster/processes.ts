// A cluster's processes on one machine: gateways, workers and subscribers. Each process runs as in
// production, on the benchmark's database.
import path from 'node:path'
import { freePort } from '#database/embedded/postmaster.ts'
import { type BenchEnvironment, type Cluster, withCluster } from '../harness/environment.ts'
import type { Options } from '../harness/options.ts'
import { dataDir, type Server, startServer } from '../harness/server.ts'
import { writeSite } from '../harness/site.ts'
import type { ClosedSockets, FrameStats, OpenedSockets, Connections } from './clients.ts'

export type OnClose = (close: () => Promise<unknown>) => void

/** The short form also uses a separate server, because these processes derive their roles'
 *  passwords, which the test database doesn't have. */
export const onItsOwn = <T>(
  options: Options,
  cluster: Cluster,
  work: (cluster: Cluster) => Promise<T>,
): Promise<T> =>
  options.isShort ? withCluster({ ...options, isShort: false }, work) : work(cluster)

const otherPorts = { AUTH_PORT: '0', MCP_PORT: '0', PORTAL_PORT: '0', CONSOLE_PORT: '0' }

/** Starts a gateway whose site has one article, because pages aren't measured here. `files`: how
 *  many files and connections it may open; defaults to this process's limit. `settings`: extra
 *  environment variables. */
export async function openGateway(
  { url }: BenchEnvironment,
  onClose: OnClose,
  { files, settings = {} }: { files?: number; settings?: Record<string, string> } = {},
): Promise<Server> {
  const site = await writeSite(1)
  onClose(() => site.remove())
  const port = await freePort()
  const server = await startServer({
    command: [...limited(files), process.execPath, 'gateway/server/main.ts'],
    port,
    path: '/api/live',
    env: {
      ...otherPorts,
      PORT: String(port),
      BASE_URL: `http://localhost:${port}`,
      DATABASE_URL: url,
      DATA_DIR: dataDir,
      SITE_DIR: site.folder,
      LOG_FORMAT: 'json',
      RATE_LIMIT_REQUESTS: '10000000',
      WEBHOOK_ALLOW: '127.0.0.1',
      ...settings,
    },
  })
  onClose(() => server.stop())
  return server
}

const limited = (files: number | undefined) =>
  files === undefined ? [] : ['prlimit', `--nofile=${files}`]

/** `settings`: extra environment variables. */
export async function openWorker(
  { url }: BenchEnvironment,
  onClose: OnClose,
  settings: Record<string, string> = {},
): Promise<Server> {
  const port = await freePort()
  const server = await startServer({
    command: [process.execPath, 'gateway/commands/worker.ts'],
    port,
    env: {
      ...otherPorts,
      WORKER_METRICS_PORT: String(port),
      DATABASE_URL: url,
      DATA_DIR: dataDir,
      LOG_FORMAT: 'json',
      WEBHOOK_ALLOW: '127.0.0.1',
      ...settings,
    },
  })
  onClose(() => server.stop())
  return server
}

export async function openClients(onClose: OnClose) {
  const port = await freePort()
  const command = [process.execPath, path.join(import.meta.dir, 'clients.ts')]
  const server = await startServer({ command, port, input: JSON.stringify({ port }) })
  onClose(() => server.stop())
  const ask = async <T>(name: string, body?: object): Promise<T> =>
    (
      await fetch(`http://127.0.0.1:${port}${name}`, {
        method: 'POST',
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    ).json() as Promise<T>
  return {
    connect: (connections: Connections) => ask<OpenedSockets>('/connect', connections),
    count: () => ask<number>('/count'),
    take: () => ask<FrameStats>('/take'),
    ended: () => ask<ClosedSockets>('/ended'),
    leave: () => ask<ClosedSockets>('/leave'),
  }
}
export type RemoteClients = Awaited<ReturnType<typeof openClients>>
