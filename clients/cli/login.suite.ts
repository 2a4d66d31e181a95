// Logging in, except for the approval in a browser. waiting.suite.ts tests that approval.

import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
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
      const { err } = await cli.shell.runLine(['logout', '--profile', 'left'])
      expect(err).toBe("Profile left isn't logged in.\n")
    })
  })

  describe('a stored login', () => {
    const folder = () => path.join(cli.shell.home, 'stored')
    /** A login for the platform that must be renewed, by a server that can't be reached. */
    const storeLogin = () => {
      const login = {
        kind: 'token',
        accessToken: `svc_at_test_${'a'.repeat(40)}`,
        refreshToken: `svc_rt_test_${'a'.repeat(40)}`,
        expiresAt: 0,
        scopes: [],
        client: 'client',
        tokenEndpoint: 'http://localhost:1/token',
        revocationEndpoint: 'http://localhost:1/revoke',
        resource: cli.platform.base,
      }
      mkdirSync(folder(), { recursive: true })
      const entries = { default: JSON.stringify(login) }
      writeFileSync(path.join(folder(), 'credentials.json'), JSON.stringify(entries))
      return { env: { SVC_CONFIG: path.join(folder(), 'config.toml') } }
    }

    test('exits with 8 if the server that renews it can’t be reached', async () => {
      const { code, err } = await cli.shell.run(['cases', 'list'], storeLogin())
      expect([code, err]).toMatchObject([8, expect.stringContaining('reach http://localhost:1')])
    })

    test('is never sent to another API, or renewed for one', async () => {
      let asked = 0
      const other = Bun.serve({ port: 0, fetch: () => (asked++, new Response()) })
      const words = ['cases', 'list', '--base-url', `http://localhost:${other.port}`]
      const { code, err } = await cli.shell.run(words, storeLogin())
      await other.stop(true)
      expect([code, asked]).toEqual([4, 0])
      expect(err).toContain(`this login is for ${cli.platform.base}, not ${words.at(-1)}`)
    })
  })

  describe('login with a key', () => {
    test('a key is read from standard input, tried first, and readable only by its owner', async () => {
      const { run } = cli.shell
      const { key } = cli.platform
      const inHistory = await run(['login', '--api-key', key])
      expect([inHistory.code, inHistory.err.includes('history')]).toEqual([2, true])
      expect(inHistory.out + inHistory.err).not.toContain(key)
      const wrong = await run(['login', '--api-key', '-'], { stdin: `${key}x` })
      expect(wrong.code).toBe(4)
      const right = await run(['login', '--api-key', '-'], { stdin: `${key}\n` })
      expect([right.code, right.err.includes(key)]).toEqual([0, false])
      expect(right.err).toContain(`Saved in ${file()}.`)
      expect((await run(['organization', 'get'])).code).toBe(0)
      expect((await run(['logout', '--all'])).err).toContain('Logged out of profile default.')
    })

    test('login does nothing with SVC_API_KEY set, and stores nothing with token_store none', async () => {
      const { run } = cli.shell
      const { code, err } = await run(['login'], { env: { SVC_API_KEY: cli.platform.key } })
      expect([code, err]).toEqual([0, 'Already authenticated with SVC_API_KEY.\n'])
      const none = await run(['login', '--token-store', 'none'])
      expect([none.code, none.err.includes("can't be saved")]).toEqual([2, true])
    })

    test('a requested keychain that can’t be used is named', async () => {
      const words = ['login', '--api-key', '-', '--token-store', 'keychain']
      const { code, err } = await cli.shell.run(words, { stdin: cli.platform.key })
      expect([code, err.split('\n')[0]]).toEqual([1, "Error: couldn't use the system keychain"])
    })

    // Requires Debian's dbus and gnome-keyring.
    test.skipIf(!hasKeychain)(
      'a working keychain stores the key, and the file a marker, until logout',
      async () => {
        const { env, installed, node } = cli.shell
        const words = ['dbus-run-session', '--', 'bash', '-c', keychainSession]
        const child = Bun.spawn(words, {
          env: { ...env, NODE: node, SVC: installed.program, FILE: file() },
          stdin: new Blob([cli.platform.key]),
          stdout: 'pipe',
          stderr: 'ignore',
        })
        const [mark, who] = (await new Response(child.stdout).text()).split('\0')
        expect(JSON.parse(mark ?? '')).toEqual({ default: 'keychain' })
        expect(JSON.parse(who ?? '')).toMatchObject({ credential_from: 'profile default' })
        expect([await child.exited, existsSync(file())]).toEqual([0, false])
      },
      30_000,
    )
  })
}

const hasKeychain = ['dbus-run-session', 'gnome-keyring-daemon'].every(
  program => Bun.which(program) !== null,
)

/** A shell session that unlocks a keychain, logs in, checks the login and logs out. */
const keychainSession = `
  key=$(cat)
  printf secret | gnome-keyring-daemon --unlock --components=secrets > /dev/null
  printf %s "$key" | "$NODE" "$SVC" login --api-key - --token-store keychain || exit 1
  cat "$FILE"
  printf '\\0'
  "$NODE" "$SVC" whoami --json
  "$NODE" "$SVC" logout`
