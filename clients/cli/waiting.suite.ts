// Tests that wait for seconds: for a browser, and for the request log.

import { expect } from 'bun:test'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Cli } from './testing/use-cli.ts'
import { waitsWith } from './testing/waits.ts'
import { watch } from './testing/watch.ts'

type StoredLogins = Record<string, { accessToken: string; refreshToken: string; expiresAt: number }>

export function waitingSuite(cli: Cli): void {
  const waits = waitsWith(cli)

  waits(
    'login: approved in the browser it works, is renewed when it ends, and logout revokes it',
    async ({ shell, platform }) => {
      const file = path.join(shell.home, '.config/svc/credentials.json')
      const stored = (): StoredLogins =>
        Object.fromEntries(
          Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>).map(
            ([profile, text]) => [profile, JSON.parse(text)],
          ),
        ) as StoredLogins
      const { run, start } = shell
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
      expect(await platform.decide(await talk.until(code), 'approve')).toBe('/device/approved')
      expect(await platform.decide(deniedCode, 'deny')).toBe('/device/denied')
      expect(await child.exited).toBe(0)
      expect(await talk.all).toContain(`Saved in ${file}.`)
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(await denied.exited).toBe(5)
      expect(await deniedTalk.all).toContain('the request was denied in the browser')
      expect(Object.keys(stored())).toEqual(['default'])

      const who = JSON.parse((await run(['whoami', '--json'])).out) as Record<string, unknown>
      expect(who).toMatchObject({ mode: 'test', scopes: ['organization:read', 'cases:read'] })
      const beyond = await run(['patients', 'list'])
      expect([beyond.code, beyond.err.includes('insufficient_scope')]).toEqual([5, true])

      const first = stored()['default']
      writeFileSync(file, JSON.stringify({ default: JSON.stringify({ ...first, expiresAt: 0 }) }))
      const renewed = await Promise.all([run(['cases', 'list']), run(['cases', 'list'])])
      expect(renewed.map(({ code }) => code)).toEqual([0, 0])
      const second = stored()['default']
      expect(second?.accessToken).not.toBe(first?.accessToken)
      const secrets = [first, second].flatMap(one => [one?.accessToken, one?.refreshToken])
      for (const { out, err } of [beyond, ...renewed]) {
        for (const secret of secrets) expect(out + err).not.toContain(String(secret))
      }

      const token = String(second?.accessToken)
      expect((await run(['logout'])).err).toContain('Token revoked.')
      expect((await run(['cases', 'list'])).code).toBe(4)
      const headers = { authorization: `Bearer ${token}` }
      expect((await fetch(`${platform.base}/v1/cases`, { headers })).status).toBe(401)
    },
  )

  waits('logs: get, tail and explain show what a request did', async ({ shell, platform }, env) => {
    const { headers } = await fetch(`${platform.base}/v1/cases/case_01m7wqryk2hdshyqxcd9x2kd4r`, {
      headers: { authorization: `Bearer ${platform.key}` },
    })
    const id = headers.get('request-id') ?? ''
    const child = shell.start(['logs', 'tail', '--since', '1m', '--status', '404'], {
      env,
    })
    const shown = await watch(child.stdout).until(new RegExp(`.*${id}`))
    child.kill('SIGINT')
    expect(shown).toContain('GET    /v1/cases/{id}  404 not_found')
    const limited = ['logs', 'tail', '--since', '1m', '--limit', '1', '--format', 'jsonl']
    const one = await shell.run(limited, { env })
    expect([one.code, one.out.trim().split('\n').length]).toEqual([0, 1])
    expect((await shell.run(['logs', 'tail', '--limit', '0'], { env })).code).toBe(2)
    const [got, explained] = await shell.runAll(
      [
        ['logs', 'get', id, '--json'],
        ['explain', id],
      ],
      { env },
    )
    expect(JSON.parse(got?.out ?? '')).toMatchObject({ id, status: 404, code: 'not_found' })
    expect(explained?.out).toContain('Not found (not_found, 404)')
    await child.exited
  })
}
