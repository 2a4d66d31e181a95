// Runs the Python library's tests: installs its wheel offline into a separate environment, then
// tests it against the platform in one Python process. PYTHON_VERSIONS="3.9 3.13" repeats the tests
// for each version.

import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fixturesBase } from '#clinical/testing/fixtures.ts'
import { openTestWorker } from '#clinical/deliveries/engine/testing/worker.ts'
import { openGateway } from '#gateway/testing/subscribers.ts'
import { openPlatform } from '#gateway/testing/authorization.ts'
import { issueCredentials } from '#gateway/testing/authorizing.ts'
import { snake } from '#contract/derive/names.ts'
import type { Scope } from '#contract/scopes.ts'
import { model } from '../generate/model.ts'
import { expectOutcomes, openMatrix } from '../testing/matrix.ts'
import { examples, isUsable, pythons, run, useInstalls } from './testing/installed.ts'

const here = import.meta.dir
/** The long run writes and reads SDK_ROWS rows. */
const patienceMs = 300_000 + Number(process.env['SDK_ROWS'] ?? 0) * 50
const install = useInstalls()

const vectors = path.resolve(here, '../../contract/vectors/webhook-signatures.json')

/** Test input that doesn't need a running platform. */
const known = () => ({
  vectors: JSON.parse(readFileSync(vectors, 'utf8')).vectors,
  documents: examples(),
  names: model.operations.map(({ resource, verb }) => [...resource, verb].map(snake).join('.')),
  event_types: model.events.map(({ type }) => type),
  problems: Object.fromEntries(model.problems.map(({ code, className }) => [code, className])),
  examples: Object.fromEntries(
    model.operations.flatMap(({ result, answer }) =>
      result.kind === 'resource' ? [[result.type, answer]] : [],
    ),
  ),
})

async function openGiven() {
  const platform = await openPlatform()
  const running = await platform.start()
  const { integration, test: key, live } = platform.fixtures.ada
  const [sockets, worker] = await Promise.all([
    openGateway(platform.fixtures),
    openTestWorker(platform.fixtures),
  ])
  const { mint } = await issueCredentials(platform, integration)
  const keyFor = (...scopes: Scope[]) =>
    platform.fixtures.key({ integration, mode: 'test', name: scopes.join(), scopes })
  const api = new URL((await running.call('/v1/organization')).url).origin
  const { client_id, client_secret } = mint
  return {
    given: {
      ...known(),
      api,
      sockets: new URL(sockets.http).origin,
      public: fixturesBase,
      key,
      live,
      narrow: await keyFor('organization:read'),
      writer: await keyFor('patients:write', 'cases:write', 'test:manage'),
      client: { client_id, client_secret, auth_url: running.issuer },
    },
    async close() {
      await Promise.all([sockets.close(), worker.stop()])
      await running.stop()
      await platform.close()
    },
  }
}

for (const python of pythons) {
  test.skipIf(!isUsable(python))(
    `${python}: the wheel installs offline and passes its tests`,
    async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'wheel-'))
      const { given, close } = await openGiven()
      try {
        const inside = await install(python)
        const file = path.join(folder, 'given.json')
        writeFileSync(file, JSON.stringify(given))
        const command = [inside, '-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests']
        const { code, text } = await run(command, { SDK_TEST: file })
        expect(code, text).toBe(0)
        const count = Number(/^Ran (\d+) tests/m.exec(text)?.[1])
        expect(count, text).toBeGreaterThan(40)
      } finally {
        await close()
        rmSync(folder, { recursive: true })
      }
    },
    patienceMs,
  )
}

for (const python of pythons) {
  test.skipIf(!isUsable(python))(
    `${python}: both clients match the fault matrix`,
    async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'matrix-'))
      const { given, authority, close } = await openMatrix()
      try {
        const inside = await install(python)
        const [file, trusted] = ['given.json', 'authority.pem'].map(name => path.join(folder, name))
        writeFileSync(file ?? '', JSON.stringify(given))
        writeFileSync(trusted ?? '', authority)
        const command = [inside, '-W', 'error', 'tests/matrix.py', file ?? '']
        const { code, out, err } = await run(command, { SSL_CERT_FILE: trusted ?? '' })
        expect({ code, err }).toEqual({ code: 0, err: '' })
        expectOutcomes(out, 2 * 50)
      } finally {
        await close()
        rmSync(folder, { recursive: true })
      }
    },
    patienceMs,
  )
}
