// Logging in, as far as no person approves it; that is in waiting.suite.ts.

import { describe, expect, test } from 'bun:test'
import path from 'node:path'
import type { Cli } from './testing/use-cli.ts'
import { watch } from './testing/watch.ts'

export function loginSuite(cli: Cli): void {
  const file = () => path.join(cli.shell.home, '.config/svc/credentials.json')

  describe('login by device grant', () => {
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
