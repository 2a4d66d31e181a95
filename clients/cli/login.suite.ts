// Logging in: by the device grant through the real pages, and with a key on standard input.

import { describe, expect, test } from 'bun:test'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Cli } from './testing/use-cli.ts'
import { watch } from './testing/watch.ts'

type Stored = Record<string, { accessToken: string; refreshToken: string; expiresAt: number }>

export function loginSuite(cli: Cli): void {
  const folder = () => path.join(cli.shell.home, '.config/svc')
  const file = () => path.join(folder(), 'credentials.json')
  const stored = (): Stored =>
    Object.fromEntries(
      Object.entries(JSON.parse(readFileSync(file(), 'utf8')) as Record<string, string>).map(
        ([profile, text]) => [profile, JSON.parse(text)],
      ),
    ) as Stored

  describe('login by device grant', () => {
    test('approved in the browser it works, is renewed when it ends, and logout revokes it', async () => {
      const { run, start } = cli.shell
      const denied = start(['login', '--profile', 'denied', '--scopes', 'events:read'])
      const code = /Code: (\S+)/
      const deniedTalk = watch(denied.stderr)
      const deniedCode = await deniedTalk.until(code)
      const child = start([
        'login',
        '--scopes',
        'organization:read,cases:read',
        '--token-store',
        'file',
      ])
      const talk = watch(child.stderr)
      expect(await cli.platform.decide(await talk.until(code), 'approve')).toBe('/device/approved')
      expect(await cli.platform.decide(deniedCode, 'deny')).toBe('/device/denied')
      expect(await child.exited).toBe(0)
      expect(await talk.all).toContain(`Kept in ${file()}.`)
      expect(statSync(file()).mode & 0o777).toBe(0o600)
      expect(await denied.exited).toBe(5)
      expect(await deniedTalk.all).toContain('the request was denied in the browser')
      expect(Object.keys(stored())).toEqual(['default'])

      const who = JSON.parse((await run(['whoami', '--json'])).out) as Record<string, unknown>
      expect(who).toMatchObject({ mode: 'test', scopes: ['organization:read', 'cases:read'] })
      const beyond = await run(['patients', 'list'])
      expect([beyond.code, beyond.err.includes('insufficient_scope')]).toEqual([5, true])

      const first = stored()['default']
      writeFileSync(file(), JSON.stringify({ default: JSON.stringify({ ...first, expiresAt: 0 }) }))
      const renewed = await Promise.all([run(['cases', 'list']), run(['cases', 'list'])])
      expect(renewed.map(({ code }) => code)).toEqual([0, 0])
      const second = stored()['default']
      expect(second?.accessToken).not.toBe(first?.accessToken)
      const secrets = [first, second].flatMap(one => [one?.accessToken, one?.refreshToken])
      for (const { out, err } of [beyond, ...renewed]) {
        for (const secret of secrets) expect(out + err).not.toContain(String(secret))
      }

      const token = String(second?.accessToken)
      expect((await run(['logout'])).err).toContain('The token is revoked.')
      expect((await run(['cases', 'list'])).code).toBe(4)
      const headers = { authorization: `Bearer ${token}` }
      expect((await fetch(`${cli.platform.base}/v1/cases`, { headers })).status).toBe(401)
    }, 60_000)

    test('Ctrl-C leaves nothing behind', async () => {
      const child = cli.shell.start(['login', '--profile', 'left'])
      await watch(child.stderr).until(/Waiting/)
      child.kill('SIGINT')
      expect(await child.exited).toBe(130)
      const { err } = await cli.shell.run(['logout', '--profile', 'left'])
      expect(err).toBe('Profile left is not logged in.\n')
    })
  })

  describe('login with a key', () => {
    test('a key comes from standard input, is tried first, and is kept for its owner alone', async () => {
      const { run } = cli.shell
      const { key } = cli.platform
      const inHistory = await run(['login', '--api-key', key])
      expect([inHistory.code, inHistory.err.includes('history')]).toEqual([2, true])
      expect(inHistory.out + inHistory.err).not.toContain(key)
      const wrong = await run(['login', '--api-key', '-'], { stdin: `${key}x` })
      expect(wrong.code).toBe(4)
      const right = await run(['login', '--api-key', '-'], { stdin: `${key}\n` })
      expect([right.code, right.err.includes(key)]).toEqual([0, false])
      expect(right.err).toContain(`Kept in ${file()}.`)
      expect((await run(['organization', 'get'])).code).toBe(0)
      expect((await run(['logout', '--all'])).err).toContain('Logged out of profile default.')
    })

    test('with SVC_API_KEY set there is nothing to do, and token_store none keeps nothing', async () => {
      const { run } = cli.shell
      const { code, err } = await run(['login'], { env: { SVC_API_KEY: cli.platform.key } })
      expect([code, err]).toEqual([0, 'Already authenticated by SVC_API_KEY.\n'])
      const none = await run(['login', '--token-store', 'none'])
      expect([none.code, none.err.includes('would be lost')]).toEqual([2, true])
    })

    test('a keychain that is asked for and cannot be used is named', async () => {
      const words = ['login', '--api-key', '-', '--token-store', 'keychain']
      const { code, err } = await cli.shell.run(words, { stdin: cli.platform.key })
      expect([code, err.split('\n')[0]]).toEqual([
        1,
        'Error: the keychain of this system cannot be used',
      ])
    })
  })
}
