// Every program in the package's README runs as written.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openTestGateway } from '#gateway/testing/gateway.ts'
import { openGateway } from '#gateway/testing/subscribers.ts'
import { openTestWorker } from '#clinical/deliveries/engine/testing/worker.ts'
import { sdkName } from '#contract/derive/names.ts'
import { operationIds, table } from '#contract/api.ts'
import { installedPackage } from './testing/package.ts'

const text = readFileSync(path.join(import.meta.dir, 'README.md'), 'utf8')
/** Each program under its heading; the first comes before any heading. */
const programs = text
  .split(/^## /m)
  .flatMap((section, at): [heading: string, program: string][] => {
    const program = /^```ts\n([^]*?)^```$/m.exec(section)?.[1]
    const heading = at === 0 ? 'the first call' : (section.split('\n')[0] ?? '')
    return program === undefined ? [] : [[heading, program]]
  })

let gateway: Awaited<ReturnType<typeof openTestGateway>>
let sockets: Awaited<ReturnType<typeof openGateway>>
let worker: Awaited<ReturnType<typeof openTestWorker>>
beforeAll(async () => {
  gateway = await openTestGateway()
  ;[sockets, worker] = await Promise.all([
    openGateway(gateway.fixtures),
    openTestWorker(gateway.fixtures),
  ])
})
afterAll(async () => {
  await Promise.all([sockets.close(), worker.stop()])
  await gateway.close()
})

/** Each program's expected output. */
const printed: Record<string, RegExp> = {
  'the first call': /^\S.*\n$/,
  'From a patient to a delivery':
    /^consent_required \[ "telehealth", "privacy" \] Record .*\ndelivered\n$/,
  Webhooks: /^approved case_\w{26}\n204\n$/,
  Realtime: /^order.shipped.v1 shipped\n$/,
  'Testing your code': /^\[ "patient.created.v1" \]\n$/,
}

test('each of these headings has a program', () => {
  expect(programs.map(([heading]) => heading)).toEqual(Object.keys(printed))
})

test.each(programs)('%s', async (heading, program) => {
  const { folder } = await installedPackage()
  const place = mkdtempSync(path.join(folder, 'readme-'))
  // The tests' sockets have their own port.
  const elsewhere = `const Real = WebSocket
    globalThis.WebSocket = class extends Real {
      constructor(address, protocols) { super('${sockets.url}', protocols) }
    }\n`
  writeFileSync(path.join(place, 'elsewhere.mjs'), elsewhere)
  writeFileSync(path.join(place, 'program.ts'), program)
  const child = Bun.spawn([process.execPath, '--preload', './elsewhere.mjs', 'program.ts'], {
    cwd: place,
    env: {
      PATH: process.env['PATH'] ?? '',
      SVC_API_KEY: gateway.fixtures.ada.test,
      SVC_BASE_URL: `http://localhost:${gateway.port}`,
    },
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  rmSync(place, { recursive: true })
  expect([err, await child.exited]).toEqual(['', 0])
  expect(out).toMatch(printed[heading] ?? /never/)
})

test('there are as many methods as operations', () => {
  expect(text).toContain(
    `${new Set(operationIds.map(id => sdkName(id, table[id].path))).size} in all`,
  )
})
