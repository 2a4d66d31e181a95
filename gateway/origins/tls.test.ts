// With a certificate, every listener speaks TLS itself, so a proxy on another machine connects
// securely.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connect } from 'node:tls'
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

test('TLS: with TLS_CERTIFICATE, every listener serves HTTPS with that certificate', async () => {
  const { site, auth, hosts: _, ...others } = origins.listeners
  const ports = [site.port, auth.port, ...Object.values(others.urls).map(url => new URL(url).port)]
  expect(ports).toHaveLength(6)
  for (const port of ports) {
    expect(await statusOf(`https://localhost:${port}/`, authority.cert)).toBeOneOf([200, 404, 503])
    expect(await statusOf(`http://localhost:${port}/`, authority.cert)).toBeString()
  }
})

test('TLS: each listener’s first response sets Strict-Transport-Security', async () => {
  const { site, auth, hosts: _, ...others } = origins.listeners
  const ports = [site.port, auth.port, ...Object.values(others.urls).map(url => new URL(url).port)]
  for (const port of ports) {
    for (const path of ['/', '/v1/organization', '/no-such-page', '/%']) {
      const { headers } = await fetch(`https://localhost:${port}${path}`, {
        tls: { ca: authority.cert },
        redirect: 'manual',
      })
      const kept = headers.get('strict-transport-security')
      expect([port, path, kept]).toEqual([port, path, 'max-age=63072000'])
    }
  }
})

test.each([
  ['TLSv1.3', '', true],
  ['TLSv1.2', 'ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256', true],
  ['TLSv1.2', 'ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES128-SHA', false],
  ['TLSv1.2', 'AES128-GCM-SHA256', false],
] as const)('TLS: %s %s is accepted: %p', async (version, ciphers, isAccepted) => {
  for (const { port } of [origins.listeners.site, origins.listeners.auth]) {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const socket = connect({
      port,
      host: 'localhost',
      ca: authority.cert,
      minVersion: version,
      maxVersion: version,
      ...(ciphers !== '' && { ciphers }),
    })
    socket.once('secureConnect', () => resolve(true))
    socket.once('error', () => resolve(false))
    expect([port, await promise]).toEqual([port, isAccepted])
    socket.destroy()
  }
})

test('TLS: metrics use the same certificate', async () => {
  const server = serveMetrics(openMetrics(), 'localhost', 0, files)
  expect(await statusOf(`https://localhost:${server?.port}/metrics`, authority.cert)).toBe(200)
  await server?.stop(true)
})
