// `svc dev`: its refusals. With CLI_DEV=1, also runs a platform for one command, which takes a
// minute.

import { describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { packPlatform } from '../platform.ts'
import type { Cli } from './testing/use-cli.ts'

const isLong = process.env['CLI_DEV'] !== undefined
const root = path.join(import.meta.dir, '../..')

/** Runs a command without a network, where the machine allows it. */
const offline = ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'offline']
const canUnplug = Bun.spawnSync([...offline, 'true']).exitCode === 0

export function devSuite(cli: Cli): void {
  describe('dev', () => {
    test('refuses anything but a platform, and never removes your own database', async () => {
      const { home, runAll } = cli.shell
      const [text, tarball] = [path.join(home, 'platform.txt'), path.join(home, 'other.tgz')]
      writeFileSync(text, 'not packed')
      Bun.spawnSync(['tar', '-czf', tarball, '-C', home, 'platform.txt'])
      const database = ['--database-url', 'postgresql://localhost/mine']
      const ran = await runAll([
        ['dev'],
        ['dev', '--platform', path.join(home, 'none')],
        ['dev', '--platform', text],
        ['dev', '--platform', tarball],
        ['dev', '--ephemeral', ...database],
        ['dev', '--reset', ...database],
        ['dev', '--', 'true'],
      ])
      expect(ran.map(({ code }) => code)).toEqual(ran.map(() => 2))
      const reasons = [
        'no platform found',
        'a platform checkout or a packed platform',
        "couldn't unpack",
        "isn't a packed platform",
        "can't be combined",
        "can't be combined",
        'requires --ephemeral',
      ]
      expect(ran.map(({ err }, at) => err.includes(reasons[at] ?? ''))).toEqual(ran.map(() => true))
      expect(readdirSync(path.join(home, '.local/share/svc'))).toEqual([])
    })
  })

  describe.skipIf(!isLong)('dev (the long form: CLI_DEV=1)', () => {
    const command = () => {
      const { node, installed } = cli.shell
      return [node, installed.program, 'organization', 'get', '--json']
    }

    test('starts a platform for one command, exits with its code, and leaves nothing behind', async () => {
      // The shell's DATABASE_URL is the project's database, which `svc dev` must not use.
      const env = { TMPDIR: cli.shell.home, DATABASE_URL: 'postgresql://localhost:1/mine' }
      const words = ['dev', '--platform', root, '--ephemeral', '--', ...command()]
      const { code, out } = await cli.shell.run(words, { env })
      expect([code, JSON.parse(out)]).toMatchObject([0, { mode: 'test' }])
      expect(readdirSync(cli.shell.home).filter(name => name.startsWith('svc-dev-'))).toEqual([])
    }, 600_000)

    test('a packed platform is unpacked once, and starts without a network', async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'packed-'))
      const { shell } = cli
      const env = { ...shell.env, XDG_DATA_HOME: folder }
      const run = async (...words: string[]) => {
        const typed = [shell.node, shell.installed.program, 'dev', ...words, '--ephemeral', '--']
        const all = [...(canUnplug ? offline : []), ...typed, ...command()]
        const child = Bun.spawn(all, { cwd: shell.home, env, stdout: 'pipe', stderr: 'pipe' })
        const [out, err] = await Promise.all([
          new Response(child.stdout).text(),
          new Response(child.stderr).text(),
        ])
        return { code: await child.exited, mode: JSON.parse(out)['mode'] as string, err }
      }
      const first = await run('--platform', await packPlatform(folder))
      expect([first.code, first.mode, first.err.includes('Unpacking')]).toEqual([0, 'test', true])
      const second = await run()
      expect([second.code, second.mode, second.err.includes('Unpacking')]).toEqual([
        0,
        'test',
        false,
      ])
      expect(readdirSync(path.join(folder, 'svc'))).toEqual(['platform'])
      rmSync(folder, { recursive: true, force: true })
    }, 1_200_000)
  })
}
