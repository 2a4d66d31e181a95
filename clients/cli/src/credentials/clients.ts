// Stores the OAuth client that this program registered with each server. A client ID isn't a
// secret, because anyone can register a client.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Settings } from '../settings/settings.ts'

const fileOf = (settings: Settings) => settings.folder('clients.json')

function clientsIn(file: string): Record<string, string> {
  if (!existsSync(file)) return {}
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  } catch {
    // If the file is damaged, the program registers again.
    return {}
  }
}

function write(file: string, clients: Record<string, string>): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, `${JSON.stringify(clients, null, 1)}\n`, { mode: 0o600 })
}

export const knownClient = (settings: Settings, resource: string): string | undefined =>
  clientsIn(fileOf(settings))[resource]

export function rememberClient(settings: Settings, resource: string, client: string): void {
  const file = fileOf(settings)
  const clients = clientsIn(file)
  if (clients[resource] !== client) write(file, { ...clients, [resource]: client })
}

export function forgetClient(settings: Settings, resource: string): void {
  const file = fileOf(settings)
  const { [resource]: _, ...rest } = clientsIn(file)
  write(file, rest)
}
