// Renewing a login whose authorization server is unreachable, busy, or has ended the login.
import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TokenCredential } from './credential.ts'
import { renewed } from './renew.ts'

const refusal = (status: number, error: string) => () =>
  Response.json({ error, error_description: error }, { status })

test.each<[exit: string, answer: (() => Response) | undefined]>([
  ['unavailable', undefined],
  ['unavailable', refusal(503, 'server_error')],
  ['rateLimited', refusal(429, 'temporarily_unavailable')],
  ['notLoggedIn', refusal(400, 'invalid_grant')],
])('renewal: exits with %s, and leaves no lock', async (exit, answer) => {
  const server = answer && Bun.serve({ port: 0, fetch: answer })
  const at = `http://localhost:${server?.port ?? 1}`
  const old: TokenCredential = {
    kind: 'token',
    accessToken: 'svc_at_test_a',
    refreshToken: 'svc_rt_test_a',
    expiresAt: 0,
    scopes: [],
    client: 'client',
    tokenEndpoint: `${at}/token`,
    revocationEndpoint: `${at}/revoke`,
    resource: at,
  }
  const written: unknown[] = []
  const store = {
    read: async () => old,
    write: async (one: unknown) => {
      written.push(one)
      return { store: 'file' as const, place: '' }
    },
    remove: async () => true,
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-renewal-'))
  const lock = path.join(folder, 'lock')
  await expect(renewed(old, store, lock)).rejects.toMatchObject({ exit })
  expect([written, existsSync(lock)]).toEqual([[], false])
  await server?.stop(true)
  rmSync(folder, { recursive: true })
})
