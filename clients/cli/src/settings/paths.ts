// The folders where each system keeps settings and credentials.

import path from 'node:path'
import type { Environment } from '../environment.ts'

export type Machine = {
  readonly environment: Environment
  readonly home: string
  readonly platform: NodeJS.Platform
}

/** `SVC_CONFIG`, or else `svc` in the user's settings folder. */
export function configFile({ environment, home, platform }: Machine): string {
  const named = environment['SVC_CONFIG']
  if (named) return named
  const { join } = platform === 'win32' ? path.win32 : path.posix
  if (platform === 'win32') {
    const base = environment['APPDATA'] ?? join(home, 'AppData', 'Roaming')
    return join(base, 'svc', 'config.toml')
  }
  return join(environment['XDG_CONFIG_HOME'] || join(home, '.config'), 'svc', 'config.toml')
}

/** A file next to the settings file. */
export function besideConfig(config: string, name: string, platform: NodeJS.Platform): string {
  const system = platform === 'win32' ? path.win32 : path.posix
  return system.join(system.dirname(config), name)
}

/** The folder for `svc dev`'s platform without a checkout: the user's data folder. */
export function dataFolder({ environment, home, platform }: Machine): string {
  const { join } = platform === 'win32' ? path.win32 : path.posix
  if (platform === 'win32') {
    return join(environment['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'svc')
  }
  return join(environment['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'svc')
}
