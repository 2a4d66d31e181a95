// A value not given as a flag comes from the environment (SCENARIO_LIVE_KEY), then from the
// `--access` file, which is like dev.json, or from a local platform's dev.json with that `--url`.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { ReadSetting } from './world.ts'

export type Flags = Readonly<Record<string, string>>

export const flagsOf = (args: readonly string[]): Flags =>
  Object.fromEntries(
    args.flatMap(arg => {
      const [, name, value] = /^--([\w.]+)=(.*)$/s.exec(arg) ?? []
      return name === undefined || value === undefined ? [] : [[name, value]]
    }),
  )

/**
 * A file like dev.json: the file that `access` names, or a local platform's dev.json if it has this
 * `url`.
 */
function accessOf({ access, url }: Flags): unknown {
  const local = path.join(process.env['DATA_DIR'] ?? '.data', 'dev.json')
  if (access === undefined && !existsSync(local)) return {}
  const found = JSON.parse(readFileSync(access ?? local, 'utf8')) as { url?: unknown }
  return access !== undefined || found.url === url ? found : {}
}

export function givenOf(flags: Flags): ReadSetting {
  const access = accessOf(flags)
  return name => {
    const setting = process.env[`SCENARIO_${name.replaceAll('.', '_').toUpperCase()}`]
    if ((flags[name] ?? setting) !== undefined) return flags[name] ?? setting
    let value = access
    for (const part of name.split('.'))
      value = (value as Record<string, unknown> | undefined)?.[part]
    return typeof value === 'string' ? value : undefined
  }
}
