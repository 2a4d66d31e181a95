// Setup for each drill: its own integrations, and SQL access to the primary.
import { readFileSync } from 'node:fs'
import { until } from '../local/control.ts'
import { databasesOf, primaryOf } from '../local/databases.ts'
import { commandOn, run } from '../local/network.ts'
import type { State } from '../local/state.ts'
import { runOnApp } from '../local/up.ts'
import type { Secrets } from '../files/platform.ts'
import { places, type Values } from '../values.ts'
import { type Access, openClient } from './client.ts'

export type Cluster = { readonly state: State; readonly values: Values; readonly secrets: Secrets }

/** Integrations for this drill only, each with a webhook endpoint. */
export async function openIntegrations(
  { state, values, secrets }: Cluster,
  count: number,
  urlOf: (tenant: number) => string,
) {
  const { url, address, authority } = JSON.parse(readFileSync(state.access, 'utf8')) as Access
  const opened = Array.from({ length: count }, (_, at) =>
    runOnApp(state, values, secrets, [
      'gateway/commands/admin.ts',
      'keys',
      'open',
      '--name',
      `Drill ${at}`,
    ]),
  )
  const keys = opened.map(text => /\b\w+_test_\w+/.exec(text)?.[0] ?? '')
  const integrations = opened.map(text => /\bint_\w+/.exec(text)?.[0] ?? '')
  const call = openClient({ url, address, authority, keys })
  for (const [at, key] of keys.entries()) {
    const body = { url: urlOf(at), event_types: ['*'] }
    const made = await call(key, '/v1/webhook_endpoints', { key: crypto.randomUUID(), body })
    if (made?.status !== 201) throw new Error(`endpoint: ${made?.status} ${made?.text}`)
  }
  return { call, keys, integrations }
}

/** Returns a function that runs SQL on the primary as a superuser. */
export async function openQuery({ state, values }: Cluster): Promise<(sql: string) => string> {
  const asked = () => databasesOf(values, state.authority)
  const primary = await until('a primary', 60, async () => primaryOf(await asked()))
  const psql = ['psql', '-AtqX', '-h', places.data, '-U', 'postgres', values.postgres.database]
  return sql => run(commandOn(state, { name: primary }, { user: 'postgres' }, [...psql, '-c', sql]))
}

/** Opens an integration with live-mode access, because only live documents reach storage. */
export async function openLive({ state, values, secrets }: Cluster, name: string) {
  const opened = runOnApp(state, values, secrets, ['gateway/live/testing/open-live.ts', name])
  return JSON.parse(opened) as { key: string; integration: string }
}
