// Tests that wait for seconds: a browser, a poll, a reconnect, an expiring token. These tests start
// before the other tests and run at the same time, each with its own sandbox and home folder.

import { beforeAll, expect, test } from 'bun:test'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { until } from '#http/testing/until.ts'
import { openProxy } from './testing/proxy.ts'
import { openReceiver } from './testing/receiver.ts'
import type { Cli } from './testing/use-cli.ts'
import { watch } from './testing/watch.ts'
import { openWriter } from './testing/writer.ts'

/**
 * The number of minutes for the long run of `listen`, in which `listen` uses its normal timings.
 */
const minutes = Number(process.env['LISTEN_MINUTES'] ?? 0)

type StoredLogins = Record<string, { accessToken: string; refreshToken: string; expiresAt: number }>

export function waitingSuite(cli: Cli): void {
  /** Starts the work before the file's tests, and reports its result as a test. */
  const waits = (title: string, run: (own: Cli, env: { SVC_API_KEY: string }) => Promise<void>) => {
    let outcome: Promise<void> | undefined
    beforeAll(async () => {
      const own = await cli.alone()
      outcome = run(own, { SVC_API_KEY: own.platform.key })
      outcome.catch(() => {})
    })
    test(title, () => outcome, 60_000 + minutes * 70_000)
  }

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

  const secretLine = /Listening to .* \(test mode\)\. Signing secret: (whsec_\w{32})/
  waits(
    'listen: what a lost connection missed is counted, or filled in order and once',
    async (own, env) => {
      const { shell, platform } = own
      const { write } = await openWriter(own)
      const receiver = openReceiver()
      const proxy = await openProxy(platform.base)
      const address = ['--base-url', proxy.base]
      const filling = shell.start(['listen', '-f', receiver.address, '--backfill', ...address], {
        env,
      })
      const counting = shell.start(['listen', ...address], { env })
      const talks = [watch(filling.stderr), watch(counting.stderr)]
      const lines = watch(filling.stdout)
      for (const talk of talks) await talk.until(secretLine)
      const before = await write(2)
      await receiver.received(2)
      proxy.cut()
      for (const talk of talks) await talk.until(/Connection lost/)
      const during = await write(101)
      void proxy.join()
      await talks[0]?.until(/Delivered 101 events missed while disconnected\./)
      await talks[1]?.until(/Missed 101 events while disconnected\./)
      const after = await write(2)
      const posted = await receiver.received(105)
      await lines.until(new RegExp(`${after[1]}  → 200`))
      // New events arrive now, while missed events are being read.
      proxy.cut()
      await talks[0]?.until(/Connection lost[^]*Connection lost/)
      const all = [...before, ...during, ...after, ...(await write(101))]
      await proxy.join()
      const again = talks[0]?.until(/Delivered 101[^]*Delivered \d+ events/)
      const isOver = async () => (await Promise.race([again, undefined])) !== undefined
      while (!(await isOver())) all.push(...(await write(5)))
      await receiver.received(all.length)
      await lines.until(new RegExp(`${all.at(-1)}  → 200`))
      for (const child of [filling, counting]) child.kill('SIGINT')
      expect(posted.map(({ id }) => id)).toEqual(all)
      const shown = (await lines.all).trim().split('\n')
      expect(shown.filter(line => line.startsWith('↻')).length).toBeGreaterThanOrEqual(101 + 101)
      expect(await talks[1]?.all).toMatch(/svc events list --since \d{4}-/)
      proxy.close()
      void receiver.close()
    },
  )

  waits(
    'listen: a token that ends is renewed beforehand, and no event is lost or doubled',
    async (own, env) => {
      const { shell, call } = own
      const { write } = await openWriter(own)
      const place = path.join(shell.home, 'renewing')
      const entry = path.join(import.meta.dir, 'testing/renewing.ts')
      await Bun.build({ entrypoints: [entry], outdir: place, target: 'node', format: 'esm' })
      const child = Bun.spawn([shell.node, path.join(place, 'renewing.js')], {
        env: { ...shell.env, ...env, ...(minutes > 0 ? {} : { RENEW_MS: '200' }) },
        stdout: 'pipe',
        stderr: 'pipe',
      })
      const lines = watch(child.stdout)
      await lines.until(/subscribed/)
      const tokens = async () => {
        const path = '/preview/requests?operation=createRealtimeToken&limit=100'
        return (await call('GET', path)).data.length
      }
      const ids: string[] = []
      const end = Date.now() + minutes * 60_000
      while (Date.now() < end || (await tokens()) <= (minutes > 0 ? minutes / 60 : 4)) {
        ids.push(...(await write(5)))
        await lines.until(new RegExp(ids.at(-1) ?? ''))
        const next = Date.now() + (minutes > 0 ? 1000 : 0)
        await until(() => Date.now() >= next)
      }
      child.kill()
      const shown = (await lines.all).trim().split('\n').slice(1)
      expect(shown).toEqual(ids)
    },
  )

  if (minutes > 0) {
    waits(`listen: ${minutes} minutes with an outage of ten in each half an hour`, async own => {
      const { shell, platform, call } = own
      const { write } = await openWriter(own)
      const receiver = openReceiver()
      const proxy = await openProxy(platform.base)
      const args = ['listen', '-f', receiver.address, '--backfill', '--base-url', proxy.base]
      const child = shell.start(args, { env: { SVC_API_KEY: platform.key } })
      const [talk, lines] = [watch(child.stderr), watch(child.stdout)]
      await talk.until(secretLine)
      const ids: string[] = []
      const started = Date.now()
      let [isCut, outages] = [false, 0]
      while (Date.now() < started + minutes * 60_000) {
        const minute = (Date.now() - started) / 60_000
        if (minute % 30 >= 20 && !isCut) {
          proxy.cut()
          outages++
        } else if (minute % 30 < 20 && isCut) void proxy.join()
        isCut = minute % 30 >= 20
        ids.push(...(await write(1)))
        const next = Date.now() + 2000
        await until(() => Date.now() >= next)
      }
      void proxy.join()
      const posted = await receiver.received(ids.length)
      await lines.until(new RegExp(`${ids.at(-1)}  → 200`))
      child.kill('SIGINT')
      expect(posted.map(({ id }) => id)).toEqual(ids)
      const filled = (await talk.all).match(/Delivered \d+ events/g) ?? []
      expect(filled.length).toBeGreaterThanOrEqual(outages)
      const path = '/preview/requests?operation=createRealtimeToken&limit=100'
      const tokens = (await call('GET', path)).data.length
      console.log(
        `${ids.length} events, ${outages} outages, ${tokens} tokens; ${filled.join(', ')}`,
      )
      proxy.close()
      void receiver.close()
    })
  }

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
