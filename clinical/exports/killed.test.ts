// A worker that is killed in the middle of an export: the job is done by another, once.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { sql } from '#database/sql.ts'
import { filedCase, must } from '../ask.ts'
import { type Cast, openCast } from '../cast.ts'
import { removeOrphans } from '../files/sweep.ts'
import { owned } from '../watch.ts'
import { completed } from './exported.ts'

let cast: Cast
beforeAll(async () => {
  cast = await openCast()
})
afterAll(() => cast.close())

/** Assembles as a worker does, and waits for its end just before the bundle takes its place. */
const program = `
  import { completeExports } from ${JSON.stringify(path.join(import.meta.dir, 'complete.ts'))}
  import { openFiles } from ${JSON.stringify(path.join(import.meta.dir, '../files/files.ts'))}
  import { openStorage } from ${JSON.stringify(path.join(import.meta.dir, '../files/open.ts'))}
  import { openLanes } from '#database/lanes.ts'
  const { url, folder } = await Bun.stdin.json()
  const lanes = openLanes({ url, size: 1, name: 'doomed', path: 'test, public' })
  const storage = openStorage({ folder }, () => 0, () => '0123456789abcdef')
  const take = () => (console.log('taking'), new Promise(() => {}))
  const files = openFiles({ ...storage, take }, 'a secret', 'http://localhost')
  const planes = { test: lanes, live: lanes }
  const stopping = new AbortController().signal
  await completeExports({ planes, fresh: () => '0123456789abcdef', stopping },
                        { files, base: 'http://localhost' })
`

test('kill -9 while the bundle is on its way: another worker completes it, once', async () => {
  const { patient } = await filedCase(cast)
  const { id } = await must(cast, 'createExport', { id: patient })
  const child = Bun.spawn([process.execPath, '-e', program], {
    cwd: path.dirname(path.dirname(import.meta.dir)),
    stdin: 'pipe',
    stdout: 'pipe',
  })
  const url = cast.database.roleUrl('svc_worker_test')
  child.stdin.write(JSON.stringify({ url, folder: cast.folder }))
  child.stdin.end()
  const { value } = await child.stdout.getReader().read()
  expect(new TextDecoder().decode(value)).toBe('taking\n')
  child.kill('SIGKILL')
  await child.exited

  const left = () => readdirSync(path.join(cast.folder, 'aside'))
  expect([(await must(cast, 'getExport', { id })).status, left().length]).toEqual(['pending', 1])
  expect(await completed(cast)).toBe(0) // its claim still runs
  await owned(cast, sql`update test.exports set due_at = now() where id = ${id}`)
  expect(await completed(cast)).toBe(1)
  expect((await must(cast, 'downloadExport', { id })).export).toBe(id)
  const bundles = readdirSync(path.join(cast.folder, 'test', 'x'), { recursive: true })
  expect(bundles.filter(name => String(name).includes(path.sep))).toHaveLength(1)
  expect(await removeOrphans(cast.house.files.storage)).toBe(0) // it is not old enough
})
