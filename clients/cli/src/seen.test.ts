// IDs remembered for shell completion.

import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { forgetIds, idsOf, rememberIds, seenIds } from './seen.ts'
import { readSettings } from './settings/settings.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'seen-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const machine = (name: string) => ({
  environment: { SVC_CONFIG: path.join(folder, name, 'config.toml') },
  home: folder,
  platform: process.platform,
})
const id = (at: number) => `case_${String(at).padStart(26, '0')}`

test('seen: a profile’s last fifty ids, newest first, readable only by its owner', () => {
  const [one, other] = ['one', 'other'].map(profile =>
    readSettings({ profile }, machine('a'), folder),
  ) as [ReturnType<typeof readSettings>, ReturnType<typeof readSettings>]
  rememberIds(
    one,
    Array.from({ length: 50 }, (_, at) => id(at)),
  )
  rememberIds(one, [id(7), id(50)])
  expect(seenIds(one).slice(0, 3)).toEqual([id(50), id(7), id(49)])
  expect(seenIds(one)).toHaveLength(50)
  expect(seenIds(one)).not.toContain(id(0))
  expect(seenIds(other)).toEqual([])
  expect(statSync(path.join(folder, 'a', 'seen.json')).mode & 0o777).toBe(0o600)
  forgetIds(one, 'one')
  expect(seenIds(one)).toEqual([])
})

test('seen: keeps only a response’s ids; a damaged or missing file isn’t a failure', () => {
  expect(idsOf([{ id: id(1), first_name: 'Ada' }, { id: 'Ada' }, null, 'Ada'])).toEqual([id(1)])
  expect([idsOf({ id: id(2) }), idsOf(undefined)]).toEqual([[id(2)], []])
  const settings = readSettings({}, machine('b'), folder)
  forgetIds(settings, 'default')
  rememberIds(settings, [id(1)])
  writeFileSync(path.join(folder, 'b', 'seen.json'), '{')
  expect(seenIds(settings)).toEqual([])
  const nowhere = { ...machine('c'), environment: { SVC_CONFIG: '/dev/null/config.toml' } }
  rememberIds(readSettings({}, nowhere, folder), [id(1)])
})
