// Messages about uncertain writes, permanent changes, lost output and small mistakes.

import { describe, expect, test } from 'bun:test'
import { mkdtempSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { rivera } from '#contract/examples.ts'
import { clockAhead } from './testing/clock-ahead.ts'
import { answeredOnTerminal, python } from './testing/terminal.ts'
import { cutAnswers } from './testing/cut-answers.ts'
import { problemResponse } from './testing/problem.ts'
import type { Cli } from './testing/use-cli.ts'
import { watch } from './testing/watch.ts'

const create = (id: string) => {
  const data = JSON.stringify({ ...rivera, external_id: id })
  return ['patients', 'create', '--data', data]
}

export function safetySuite(cli: Cli): void {
  const env = () => ({ SVC_API_KEY: cli.platform.key })
  const { run, runLine, start } = {
    run: (...given: Parameters<Cli['shell']['run']>) => cli.shell.run(...given),
    runLine: (...given: Parameters<Cli['shell']['runLine']>) => cli.shell.runLine(...given),
    start: (...given: Parameters<Cli['shell']['start']>) => cli.shell.start(...given),
  }
  const keyIn = (text: string) => /--idempotency-key (svccli_\S+)/.exec(text)?.[1] ?? 'none'

  describe('a write that may have taken effect', () => {
    test('Ctrl-C: the key is on stderr before the request, and a retry with it writes once', async () => {
      const held = await cutAnswers(cli.platform.base, 'stays')
      const words = create('interrupted-1')
      const child = start([...words, '--verbose', '--base-url', held.base], { env: env() })
      const talk = watch(child.stderr)
      const key = await talk.until(/^POST \/v1\/patients key=(svccli_\S+)\n/)
      await held.answered
      child.kill('SIGINT')
      expect(await child.exited).toBe(130)
      expect(keyIn(await talk.all)).toBe(key)
      await held.close()
      const again = await runLine([...words, '--idempotency-key', key], { env: env() })
      expect([again.code, again.err]).toMatchObject([0, expect.stringMatching(/^Replayed/)])
      const { data } = await cli.call('GET', '/v1/patients?external_id=interrupted-1')
      expect(data).toHaveLength(1)
    })

    test('a 5xx names the key, in --json as a field; refusals and reads don’t', async () => {
      const broken = Bun.serve({
        port: 0,
        fetch: () => problemResponse(503, 'service_unavailable'),
      })
      const at = ['--base-url', `http://localhost:${broken.port}`]
      const given = [...create('x'), ...at, '--idempotency-key', 'mine-1']
      const lines = [
        [...create('x'), ...at],
        [...given, '--json'],
        ['cases', 'list', ...at],
      ]
      const refused = ['patients', 'create', '-d', 'first_name=Ada']
      const ran = await cli.shell.runAll([...lines, refused], { env: env() })
      await broken.stop(true)
      expect(ran.map(({ code }) => code)).toEqual([8, 8, 8, 3])
      expect(ran[0]?.err).toMatch(/may have taken effect.*--idempotency-key svccli_/)
      const problemJson = { code: 'service_unavailable', idempotency_key: 'mine-1' }
      expect(JSON.parse(ran[1]?.err ?? '')).toMatchObject(problemJson)
      for (const { err } of ran.slice(2)) expect(err).not.toContain('--idempotency-key')
    })
  })

  describe('permanent changes in live mode', () => {
    const live = { SVC_API_KEY: `svc_sk_live_${'a'.repeat(40)}` }
    const patient = 'pat_01m7wqryk2hdshyqxcd9x2kd4r'
    const acts = [
      ['patients', 'delete', patient],
      ['cases', 'cancel', 'case_01m7wqryk2hdshyqxcd9x2kd4r'],
      ['cases', 'withdraw', 'case_01m7wqryk2hdshyqxcd9x2kd4r'],
      ['visits', 'cancel', 'vis_01m7wqryk2hdshyqxcd9x2kd4r'],
      ['webhook-endpoints', 'delete', 'we_01m7wqryk2hdshyqxcd9x2kd4r'],
      ['api', 'DELETE', `/v1/patients/${patient}`],
    ]

    test('a script needs --yes, and nothing is sent without it; test mode never asks', async () => {
      let asked = 0
      const api = Bun.serve({ port: 0, fetch: () => (asked++, problemResponse(404, 'not_found')) })
      const at = ['--base-url', `http://localhost:${api.port}`]
      const bare = acts.map(words => [...words, ...at])
      const ran = await cli.shell.runAll(bare, { env: live })
      expect(ran.map(({ code, err }) => [code, err.includes('--yes')])).toEqual(
        acts.map(() => [2, true]),
      )
      expect(asked).toBe(0)
      const forced = await cli.shell.runAll(
        bare.map(words => [...words, '--yes']),
        { env: live },
      )
      const inTest = await cli.shell.runAll(bare, { env: env() })
      await api.stop(true)
      expect([...forced, ...inTest].map(({ code }) => code)).toEqual(Array(12).fill(6))
    })

    test.skipIf(python === null)('on a terminal, Enter means no', async () => {
      const ended = await answeredOnTerminal(cli.shell, acts[0] ?? [], '\r', live)
      expect([ended.code, ended.text.includes('nothing was changed')]).toEqual([130, true])
    })
  })

  describe('lost output', () => {
    test.skipIf(process.platform !== 'linux')('a full device and a full disk fail', async () => {
      const { node, installed, home } = cli.shell
      const file = path.join(mkdtempSync(path.join(home, 'full-')), 'out')
      const svc = `"${node}" "${installed.program}"`
      const script = `
        for words in --help --version openapi 'organization get' 'map --json'; do
          ${svc} $words > /dev/full; echo "$?"
        done
        trap '' XFSZ; ulimit -f 64
        ${svc} openapi > "${file}"; echo "$?"`
      const child = Bun.spawn(['bash', '-c', script], {
        cwd: home,
        env: { ...cli.shell.env, ...env() },
        stdout: 'pipe',
        stderr: 'pipe',
      })
      const [out, err] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ])
      expect(out).toBe('1\n'.repeat(6))
      const lines = err.trim().split('\n')
      expect(lines.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => full))
      expect(lines[5]).toContain("couldn't write to standard output: the file would be too large")
      expect(statSync(file).size).toBeGreaterThan(0)
    })
  })

  describe('small mistakes in input and settings', () => {
    test('SVC_API_KEY may end in a line break; one inside is reported without the key', async () => {
      const { key } = cli.platform
      const organization = ['organization', 'get']
      expect((await run(organization, { env: { SVC_API_KEY: `${key}\r\n` } })).code).toBe(0)
      const broken = await run(organization, { env: { SVC_API_KEY: `${key}\n${key}` } })
      expect([broken.code, broken.err.includes(key)]).toEqual([2, false])
      expect(broken.err).toContain('SVC_API_KEY must be')
    })

    test('base_url means the same with or without /v1 and a trailing slash', async () => {
      const lines = ['', '/', '/v1', '/v1/'].map(end => {
        return ['config', 'list', '--json', '--base-url', `https://api.example.com/eu${end}`]
      })
      const ran = await cli.shell.runAll(lines)
      const urls = ran.map(({ out }) => (JSON.parse(out) as { base_url: string }).base_url)
      expect(urls).toEqual(Array.from({ length: 4 }, () => 'https://api.example.com/eu'))
      const versioned = ['organization', 'get', '--base-url', `${cli.platform.base}/v1`]
      expect((await runLine(versioned, { env: env() })).code).toBe(0)
    })

    test('a project file can’t choose a new host for the key', async () => {
      const { home } = cli.shell
      const project = path.join(home, '.svc.toml')
      const none = { SVC_BASE_URL: '', SVC_CONFIG: path.join(home, 'hosts.toml') }
      const list = async (host: string, ...words: string[]) => {
        writeFileSync(project, `base_url = "${host}"\n`)
        return runLine(['config', 'list', '--json', ...words], { env: none })
      }
      const eve = 'https://eve.example.com'
      const refused = await list(eve)
      const accepted = [
        await list('http://127.0.0.1:4000'),
        await list('http://api.localhost:4000'),
        await list('https://api.example.com/v1/'),
        await list(eve, '--base-url', eve),
        await runLine(['config', 'set', 'base_url', eve], { env: none }),
        await list(eve),
      ]
      const other = await list('https://eve.example.com.evil.example')
      writeFileSync(project, '')
      expect([refused.code, refused.out]).toEqual([2, ''])
      const said = JSON.parse(refused.err) as { title: string; hint: string }
      expect(said.title).toBe(`${project} must not send your key to eve.example.com`)
      for (const way of ['svc config set base_url', '--base-url']) expect(said.hint).toContain(way)
      expect(accepted.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0])
      expect(accepted[5]?.out).toContain(eve)
      expect(other.code).toBe(2)
    })

    test('a mistyped event type or scope gets a suggestion', async () => {
      const lines: [words: string[], near: string][] = [
        [['trigger', 'case.aproved.v1'], 'case.approved.v1'],
        [['trigger', 'case.approved'], 'case.approved.v1'],
        [['listen', '--events', 'cases.*'], 'case.*'],
        [['events', 'tail', '--types', 'order.shiped.v1'], 'order.shipped.v1'],
        [['webhook-endpoints', 'create', ...endpoint], 'case.approved.v1'],
        [['cases', 'list', '--status', 'aproved'], 'approved'],
      ]
      const ran = await cli.shell.runAll(
        lines.map(([words]) => words),
        { env: env() },
      )
      ran.push(await runLine(['login', '--scopes', 'cases:raed']))
      const wanted = [...lines.map(([, near]) => near), 'cases:read']
      expect(ran.map(({ code }) => code)).toEqual([2, 2, 2, 2, 3, 3, 2])
      for (const [at, near] of wanted.entries()) {
        expect(ran[at]?.err).toContain(`Did you mean ${near}?`)
      }
    })
  })

  describe('errors for programs, and waits for people', () => {
    test('with --json every error is JSON on stderr, even without a connection', async () => {
      const nowhere = ['--base-url', 'http://localhost:1', '--json']
      const lines = [
        ['cases', 'list', ...nowhere],
        [...create('x'), ...nowhere],
        ['cases', 'get', 'pat_1', '--json'],
        ['cases', 'creat', '--json'],
      ]
      const ran = await cli.shell.runAll(lines, { env: env() })
      const all = ran.map(({ err }) => JSON.parse(err) as Record<string, unknown>)
      expect(all.map(({ code, exit_code }) => [code, exit_code])).toEqual([
        ['unavailable', 8],
        ['unavailable', 8],
        ['usage', 2],
        ['usage', 2],
      ])
      expect(all[0]?.['title']).toContain("couldn't reach http://localhost:1")
      expect(all[1]?.['idempotency_key']).toStartWith('svccli_')
    })

    test('a long Retry-After wait is reported, except with --json', async () => {
      let asked = 0
      const limited = Bun.serve({
        port: 0,
        fetch: () =>
          asked++ === 0
            ? problemResponse(429, 'rate_limited', '2')
            : problemResponse(404, 'not_found'),
      })
      const words = ['cases', 'list', '--base-url', `http://localhost:${limited.port}`]
      const { err } = await runLine(words, { env: env() })
      expect(err).toStartWith('Busy (rate_limited). Trying again in 2 s.\n')
      asked = 0
      const json = await runLine([...words, '--json'], { env: env() })
      expect(JSON.parse(json.err)).toMatchObject({ code: 'not_found' })
      await limited.stop(true)
    })

    test('explain and logs get wait for a new request’s log entry', async () => {
      const headers = { authorization: `Bearer ${cli.platform.key}` }
      const url = `${cli.platform.base}/v1/cases/case_01m7wqryk2hdshyqxcd9x2kd4r`
      for (const clock of [{}, clockAhead]) {
        for (const words of [['explain'], ['logs', 'get']]) {
          const id = (await fetch(url, { headers })).headers.get('request-id') ?? ''
          const { code, out } = await runLine([...words, id], { env: { ...env(), ...clock } })
          expect([code, out.includes(id)]).toEqual([0, true])
        }
      }
      const old = await runLine(['explain', 'req_01kfqws0e3fzmkh2q2r5pzv1dd'], { env: env() })
      expect(old.code).toBe(6)
    })
  })
}

const full = "Error: couldn't write to standard output: no space left on the device (ENOSPC)"

const endpoint = ['-d', 'url=https://example.com/hooks', '-d', 'event_types=case.aproved.v1']
