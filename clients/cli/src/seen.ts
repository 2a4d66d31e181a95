// The last IDs a user saw, for shell completion. Stores only IDs, in a separate list per profile.

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Settings } from './settings/settings.ts'

type Lists = Record<string, readonly string[]>

const idsMax = 50
const form = /^[a-z]+_[0-9a-z]{26}$/

const fileOf = (settings: Settings) => settings.folder('seen.json')

function listsIn(file: string): Lists {
  if (!existsSync(file)) return {}
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Lists
  } catch {
    // If the file is damaged, only the remembered IDs are lost.
    return {}
  }
}

function write(file: string, lists: Lists): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.new`, `${JSON.stringify(lists)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** The IDs in a response: an object's, or its rows'. */
export const idsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value])
    .map(one => String((one as { id?: unknown } | null | undefined)?.id))
    .filter(id => form.test(id))

/** The profile's IDs, most recent first. */
export const seenIds = (settings: Settings): readonly string[] =>
  listsIn(fileOf(settings))[settings.profile] ?? []

export function rememberIds(settings: Settings, ids: readonly string[]): void {
  const file = fileOf(settings)
  const lists = listsIn(file)
  const all = [...new Set([...ids.toReversed(), ...(lists[settings.profile] ?? [])])]
  try {
    write(file, { ...lists, [settings.profile]: all.slice(0, idsMax) })
  } catch {
    // A folder that can't be written to isn't a failure of the command.
  }
}

export function forgetIds(settings: Settings, profile: string): void {
  const file = fileOf(settings)
  const { [profile]: found, ...rest } = listsIn(file)
  if (found !== undefined) write(file, rest)
}
