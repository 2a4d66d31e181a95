// The CLI behind a proxy, as in many offices: login, API requests, realtime events and doctor.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Network, openNetwork } from '../testing/network.ts'
import type { Cli } from './testing/use-cli.ts'
import { watch } from './testing/watch.ts'

export function proxySuite(cli: Cli): void {
  describe('behind a proxy', () => {
    let network: Network
    beforeAll(() => void (network = openNetwork(Date.now())))
    afterAll(() => network.close())

    test('calls, listen and doctor reach the API through a tunnel', async () => {
      const { home, run, start } = cli.shell
      const port = await network.secure(Number(new URL(cli.platform.base).port), 'valid')
      const authority = path.join(home, 'authority.pem')
      writeFileSync(authority, network.authority)
      const proxy = await network.proxy({ user: 'ada:secret' })
      const env = {
        SVC_API_KEY: cli.platform.key,
        SVC_BASE_URL: `https://localhost:${port}`,
        HTTPS_PROXY: `http://ada:secret@${proxy.address}`,
        NODE_EXTRA_CA_CERTS: authority,
      }
      const doctor = await run(['doctor'], { env })
      expect([doctor.code, doctor.out]).toMatchObject([0, expect.stringContaining(proxy.address)])
      expect(doctor.out).toContain('ok     realtime')
      expect(doctor.out).not.toContain('secret')

      const child = start(['listen'], { env })
      await watch(child.stderr).until(/Listening to/)
      const type = 'order.shipped.v1'
      await cli.call('POST', '/v1/test/webhooks/trigger', { type })
      await watch(child.stdout).until(/order\.shipped\.v1/)
      child.kill('SIGINT')
      expect(await child.exited).toBe(130)
      expect(new Set(proxy.seen)).toEqual(new Set([`CONNECT localhost:${port}`]))

      const denied = await run(['organization', 'get'], {
        env: { ...env, HTTPS_PROXY: `http://${proxy.address}` },
      })
      expect([denied.code, denied.err]).toMatchObject([8, expect.stringContaining('proxy')])
    })

    test('login requests its code through the proxy', async () => {
      const proxy = await network.proxy({})
      const env = { HTTP_PROXY: `http://${proxy.address}` }
      const child = cli.shell.start(['login', '--no-browser'], {
        env: { ...env, SVC_CONFIG: path.join(cli.shell.home, 'proxied', 'config.toml') },
      })
      await watch(child.stderr).until(/Code: \S+/)
      child.kill('SIGINT')
      await child.exited
      const paths = proxy.seen.map(line => new URL(line.split(' ')[1] ?? '').pathname)
      expect(paths).toContain('/.well-known/oauth-protected-resource')
      expect(paths.some(one => one.includes('oauth-authorization-server'))).toBe(true)
    })
  })
}
