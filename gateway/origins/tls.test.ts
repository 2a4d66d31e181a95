// With a certificate every listener speaks TLS itself, so that a proxy on another machine reaches
// it encrypted.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { authority } from '#http/testing/receiver.ts'
import { openMetrics, serveMetrics } from '#http/observe/metrics.ts'
import { openOrigins } from '../testing/origins.ts'

let folder = ''
let files = { certificate: '', key: '' }
let origins: Awaited<ReturnType<typeof openOrigins>>
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'tls-'))
  files = { certificate: path.join(folder, 'node.pem'), key: path.join(folder, 'node.key') }
  const { cert, key } = authority.sign('localhost')
  writeFileSync(files.certificate, cert)
  writeFileSync(files.key, key)
  origins = await openOrigins({
    environment: { TLS_CERTIFICATE: files.certificate, TLS_KEY: files.key },
  })
})
afterAll(async () => {
  await origins.close()
  rmSync(folder, { recursive: true })
})

const statusOf = (url: string, trusted: string) =>
  fetch(url, { tls: { ca: trusted } }).then(
    ({ status }) => status,
    (failure: unknown) => (failure as { code?: string }).code ?? 'none',
  )

test('TLS: with TLS_CERTIFICATE every listener answers over https, by that certificate', async () => {
  const { site, auth, hosts: _, ...others } = origins.listeners
  const ports = [site.port, auth.port, ...Object.values(others.urls).map(url => new URL(url).port)]
  expect(ports).toHaveLength(6)
  for (const port of ports) {
    expect(await statusOf(`https://localhost:${port}/`, authority.cert)).toBeOneOf([200, 404, 503])
    expect(await statusOf(`http://localhost:${port}/`, authority.cert)).toBeString()
  }
})

test('TLS: metrics have the same certificate', async () => {
  const server = serveMetrics(openMetrics(), 'localhost', 0, files)
  expect(await statusOf(`https://localhost:${server?.port}/metrics`, authority.cert)).toBe(200)
  await server?.stop(true)
})
