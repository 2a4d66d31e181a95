// Tests each shell's completions, using the program's own script.

import { describe, expect, test } from 'bun:test'
import path from 'node:path'
import { rivera } from '#contract/examples.ts'
import { onTerminal, python } from './testing/terminal.ts'
import type { Cli } from './testing/use-cli.ts'

/**
 * A bash program that reads prefixes from standard input and prints each prefix's completions, one
 * per line.
 */
const bash = `
while IFS= read -r COMP_LINE; do
  COMP_POINT=\${#COMP_LINE}
  _svc
  echo "\${COMPREPLY[*]}"
done`

const fish = `
while read -l line
  echo (complete -C "$line" | string replace -r '\\t.*' '')
end`

/** zsh completes only on a terminal, so this prints the line as it is after Tab. */
const zsh = `
import os, pty, sys, time, select
line = sys.argv[1]
pid, fd = pty.fork()
if pid == 0:
    os.execvp('zsh', ['zsh', '-f', '-i'])
def read(until, seconds):
    out = b''
    end = time.time() + seconds
    while until not in out and time.time() < end:
        if select.select([fd], [], [], 0.1)[0]:
            out += os.read(fd, 65536)
    return out
os.write(fd, b"PS1=; autoload -U compinit; compinit -u -D; source ./svc.zsh; print re''ady\\n")
read(b'ready\\r', 20)
os.write(fd, line.encode() + b'\\t')
done = read(sys.argv[2].encode(), 20)
os.kill(pid, 9)
print(sys.argv[2].encode() in done)
`

export function completionSuite(cli: Cli): void {
  const env = () => {
    const { env, installed } = cli.shell
    return { ...env, PATH: `${path.dirname(installed.program)}:${env.PATH}` }
  }
  const scriptOf = async (shell: string) => (await cli.shell.runLine(['completion', shell])).out

  async function answers(shell: 'bash' | 'fish', lines: readonly string[]): Promise<string[][]> {
    const script = `${await scriptOf(shell)}\n${shell === 'bash' ? bash : fish}`
    const child = Bun.spawn([shell, '-c', script], {
      cwd: cli.shell.home,
      env: env(),
      stdin: new Blob([lines.map(line => `${line}\n`).join('')]),
      stdout: 'pipe',
    })
    const out = await new Response(child.stdout).text()
    return out.split('\n').map(line => line.split(' ').filter(word => word !== ''))
  }

  const beginnings: readonly (readonly [line: string, ...offered: string[]])[] = [
    ['svc sandbox visit ', 'start', 'complete', 'no-show'],
    ['svc --profile work --json sandbox visit s', 'start'],
    ['svc -H "a: b" cases li', 'list'],
    ['svc cases list --status in', 'in_review'],
    ['svc trigger order.sh', 'order.shipped.v1'],
    ['svc events list --type order.ship', 'order.shipped.v1'],
    ['svc listen --events order.shipped.v1,visit.', 'order.shipped.v1,visit.*'],
    ['svc cases list --outp', '--output'],
    ['svc cases list -o js', 'json', 'jsonl'],
    ['svc completion po', 'powershell'],
    ['svc sandbox loop --scenario no', 'no-show'],
  ]
  const includes = (found: readonly string[] | undefined, offered: readonly string[]) =>
    offered.every(one => found?.includes(one))

  describe('completion', () => {
    for (const shell of ['bash', 'fish'] as const) {
      test.skipIf(Bun.which(shell) === null)(
        `${shell}: commands, options and their values, even after another option`,
        async () => {
          const found = await answers(
            shell,
            beginnings.map(([line]) => line),
          )
          const wrong = beginnings.flatMap(([line, ...offered], at) =>
            includes(found[at], offered) ? [] : [[line, found[at]]],
          )
          expect(wrong).toEqual([])
        },
      )
    }

    test('bash: after a colon or an equals sign, only the rest of the word is replaced', async () => {
      const lines = [
        'svc login --scopes cases:re',
        'svc cases list --status=appr',
        'svc webhook-endpoints create -d event_types=order.shi',
        'svc webhook-endpoints create -d ur',
      ]
      const found = await answers('bash', lines)
      expect(found.slice(0, 4)).toEqual([['read'], ['approved'], ['order.shipped.v1'], ['url=']])
    })

    test.skipIf(Bun.which('zsh') === null || python === null)(
      'zsh: Tab completes a word, a value, and a value after an option',
      async () => {
        await Bun.write(path.join(cli.shell.home, 'svc.zsh'), await scriptOf('zsh'))
        const lines = [
          ['svc --json sandbox visit sta', 'sandbox visit start'],
          ['svc trigger order.ship', 'order.shipped.v1'],
        ]
        const found = lines.map(async ([line = '', whole = '']) => {
          const child = Bun.spawn([python ?? '', '-c', zsh, line, whole], {
            cwd: cli.shell.home,
            env: { ...env(), TERM: 'dumb' },
            stdout: 'pipe',
          })
          return (await new Response(child.stdout).text()).trim()
        })
        expect(await Promise.all(found)).toEqual(['True', 'True'])
      },
    )

    test.skipIf(python === null)('ids shown in a terminal are completed until logout', async () => {
      const key = { SVC_API_KEY: cli.platform.key }
      const ids: string[] = []
      for (let at = 0; at < 2; at++) ids.push((await cli.call('POST', '/v1/patients', rivera)).id)
      const [shown = '', piped = ''] = ids
      await cli.shell.runLine(['patients', 'get', piped], { env: key })
      const shows = [
        ['patients', 'get', shown],
        ['events', 'list', '--limit', '1'],
      ]
      await onTerminal(cli.shell, 80, shows, key)
      const lines = ['svc patients get ', 'svc cases get ', 'svc cases list --patient ']
      lines.push('svc --profile other patients get ', 'svc sandbox approve ', 'svc events resend ')
      const found = await answers('bash', lines)
      const event = [expect.stringMatching(/^evt_/)]
      expect(found.slice(0, 6)).toEqual([[shown], [], [shown], [], [], event])
      await cli.shell.runLine(['logout'])
      expect((await answers('bash', lines))[0]).toEqual([])
    })
  })
}
