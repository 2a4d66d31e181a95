// The library's behavior when the network fails, on every runtime: clients/testing/faults.json.
import { writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { expectOutcomes, openMatrix } from '../testing/matrix.ts'
import { commandOf, run, runtimes } from './testing/runtimes.ts'
import { installedPackage } from './testing/package.ts'

let matrix: Awaited<ReturnType<typeof openMatrix>>
let folder: string
beforeAll(async () => {
  matrix = await openMatrix()
  folder = (await installedPackage()).folder
  await cp(path.join(import.meta.dir, 'testing/matrix.mjs'), path.join(folder, 'matrix.mjs'))
  writeFileSync(path.join(folder, 'matrix.json'), JSON.stringify(matrix.given))
  writeFileSync(path.join(folder, 'authority.pem'), matrix.authority)
})
afterAll(async () => {
  await matrix.close()
})

test.each(runtimes)(
  '%s: every row of the fault matrix',
  async runtime => {
    const trusted = path.join(folder, 'authority.pem')
    const { out, err, code } = await run([...(await commandOf(runtime)), 'matrix.mjs'], folder, {
      NODE_EXTRA_CA_CERTS: trusted,
      DENO_CERT: trusted,
    })
    expect([code, err]).toEqual([0, ''])
    expectOutcomes(out, 50, runtime)
  },
  300_000,
)
