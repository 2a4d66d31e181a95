// The sandbox on the command line: scenarios, single steps, seeds and the reset. Also tests the
// commands that need no API request.

import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { problemResponse } from './testing/problem.ts'
import { scenarioNames } from './src/sandbox/scenarios.ts'
import type { Cli } from './testing/use-cli.ts'

type Line = { scenario: string; step: number; outcome: string }

export function sandboxSuite(cli: Cli): void {
  const env = () => ({ SVC_API_KEY: cli.platform.key })
  const runAll = (lines: readonly string[][]) => cli.shell.runAll(lines, { env: env() })

  describe('sandbox', () => {
    test('every scenario runs as described, the last one with the clock and the worker', async () => {
      expect(scenarioNames.length).toBeGreaterThanOrEqual(10)
      const words = ['sandbox', 'loop', '--all', '--format', 'jsonl']
      const { code, out, err } = await cli.shell.runLine(words, { env: env() })
      expect([code, err.includes('Error')]).toEqual([0, false])
      const lines = out
        .trim()
        .split('\n')
        .map(line => JSON.parse(line) as Line)
      expect([...new Set(lines.map(({ scenario }) => scenario))]).toEqual([...scenarioNames])
      expect(lines.filter(({ outcome }) => outcome.startsWith('refused')).length).toBe(5)
    }, 60_000)

    test('your own scenario exits with 9 at an unexpected response and names the step', async () => {
      const file = path.join(cli.shell.home, 'own.json')
      const steps = [{ say: 'Look', call: 'getOrganization', expect: { mode: 'live' } }]
      writeFileSync(file, JSON.stringify({ name: 'own', about: 'Mine.', steps }))
      const words = ['sandbox', 'loop', '--file', file]
      const { code, err } = await cli.shell.runLine(words, { env: env() })
      expect(code).toBe(9)
      expect(err).toContain('Look: expected mode to be "live", got "test"')
    })

    test('a printed scenario can be edited and played', async () => {
      const loop = (...words: string[]) => ['sandbox', 'loop', ...words]
      const [printed] = await runAll([loop('--scenario', 'blocked-order', '--print')])
      const scenario = JSON.parse(printed?.out ?? '') as { name: string; steps: unknown[] }
      expect(scenario.steps.length).toBeGreaterThan(2)
      const file = path.join(cli.shell.home, 'printed.json')
      writeFileSync(file, JSON.stringify({ ...scenario, name: 'changed' }))
      const [played] = await runAll([loop('--file', file, '--format', 'jsonl')])
      const lines = played?.out.trim().split('\n') ?? []
      expect(played?.code).toBe(0)
      expect(lines.map(line => (JSON.parse(line) as Line).scenario)).toEqual(
        scenario.steps.map(() => 'changed'),
      )
    })

    test('moves, the clock, the autopilot, a seed and a reset work', async () => {
      await runAll([['sandbox', 'seed', '--patients', '1']])
      const before = await cli.call('GET', '/v1/cases?status=queued&limit=1')
      const filed = before.data[0]?.id ?? ''
      expect(filed).toStartWith('case_')
      const ran = await runAll([
        ['sandbox', 'ask', filed, '--question', 'Since when?', '--json'],
        ['cases', 'answer', filed, '-d', 'answers[0].answer=May', '--json'],
        ['sandbox', 'message', filed, '--json'],
        ['sandbox', 'approve', filed, '--json'],
        ['sandbox', 'block', filed, '--json'],
        ['sandbox', 'ship', filed, '--carrier', 'ups', '--number', '1Z', '--json'],
        ['sandbox', 'deliver', filed, '--json'],
        ['sandbox', 'fail', filed, '--json'],
        ['sandbox', 'clock', '+2h', '--json', '--idempotency-key', 'clock-1'],
        ['sandbox', 'clock', '+2h', '--json', '--idempotency-key', 'clock-1'],
        ['sandbox', 'clock', 'soon'],
        ['sandbox', 'autopilot', '--approve-after', '5s', '--ship-after', '1m', '--json'],
        ['sandbox', 'autopilot', '--off', '--json'],
        ['sandbox', 'reset'],
        ['sandbox', 'reset', '--yes', '--json'],
        ['sandbox', 'seed', '--patients', '7'],
      ])
      const failed = ran.flatMap(({ code }, at) => (code === 0 ? [] : [[at, code]]))
      expect([ran.length, ...failed]).toEqual([16, [7, 3], [10, 2], [13, 2]])
      const json = ran.map(({ out }) => (out.startsWith('{') ? JSON.parse(out) : {}))
      expect(json[0]).toMatchObject({
        status: 'waiting_on_patient',
        question: { body: 'Since when?' },
      })
      expect(json[3]).toMatchObject({ status: 'approved' })
      expect(json[8].is_advancing).toBe(false)
      // A stopped clock keeps exactly the same offset, however long the commands take.
      expect(json[9].ahead_s).toBe(json[8].ahead_s)
      expect(json[11]).toEqual({ approve_after_s: 5, ship_after_s: 60 })
      expect(json[12]).toEqual({ approve_after_s: null, ship_after_s: null })
      expect(json[14]).toMatchObject({ reset: true })
      const seeded = await cli.call('GET', '/v1/cases?limit=100')
      const statuses = seeded.data.map(({ status }) => status)
      expect(statuses).toHaveLength(7)
      expect(new Set(statuses)).toEqual(
        new Set(['queued', 'approved', 'declined', 'waiting_on_patient']),
      )
    }, 60_000)
  })

  describe('files, webhooks, logs and documents', () => {
    test('a file is reserved, sent and confirmed; a repeated key returns the first response', async () => {
      const patients = await cli.call('GET', '/v1/patients?limit=1')
      const { id } = patients.data[0] ?? { id: '' }
      const file = path.join(cli.shell.home, 'license.pdf')
      writeFileSync(file, '%PDF-1.4 invented')
      const words = ['files', 'upload', file, '--patient', id, '--kind', 'photo_id', '--json']
      const keyed = [...words, '--idempotency-key', 'upload-1']
      const [first, again] = await runAll([keyed, keyed])
      const filed = JSON.parse(first?.out ?? '') as Record<string, unknown>
      expect(filed).toMatchObject({ status: 'attached', size_bytes: 17, mime: 'application/pdf' })
      expect([again?.code, again?.out]).toEqual([0, first?.out ?? ''])
      const [other, missing] = await runAll([
        ['files', 'upload', `${file}.txt`, '--patient', id, '--kind', 'other'],
        [
          'files',
          'upload',
          path.join(cli.shell.home, 'none.pdf'),
          '--patient',
          id,
          '--kind',
          'other',
        ],
      ])
      expect([other?.code, missing?.code]).toEqual([2, 2])
    })

    test('a repeated upload that somebody else has confirmed prints storage’s reason', async () => {
      const patients = await cli.call('GET', '/v1/patients?limit=1')
      const { id: patient } = patients.data[0] ?? { id: '' }
      const file = path.join(cli.shell.home, 'other.pdf')
      writeFileSync(file, '%PDF-1.4 invented')
      const named = { patient, kind: 'photo_id', filename: 'other.pdf' }
      const body = JSON.stringify({ ...named, mime: 'application/pdf', size_bytes: 17 })
      const headers = {
        authorization: `Bearer ${cli.platform.key}`,
        'content-type': 'application/json',
        'idempotency-key': 'upload-2-reserve',
      }
      const reserved = await fetch(`${cli.platform.base}/v1/files`, {
        method: 'POST',
        headers,
        body,
      })
      const { id } = (await reserved.json()) as { id: string }
      const attached = await cli.call('POST', `/v1/files/${id}/confirm`, named)
      expect(attached).toMatchObject({ status: 'attached' })
      const words = ['files', 'upload', file, '--patient', patient, '--kind', 'photo_id']
      const [ran] = await runAll([[...words, '--idempotency-key', 'upload-2']])
      expect([ran?.code, ran?.err]).toEqual([
        5,
        'Error: storage responded with 403: The upload URL is not valid. ' +
          'Its reservation was confirmed or has expired.\n',
      ])
    })

    test('a confirmation that can be retried prints its own error, and its key if it may have happened', async () => {
      const file = path.join(cli.shell.home, 'again.pdf')
      writeFileSync(file, '%PDF-1.4 invented')
      const storage = 'storage responded with 403\n'
      const printed = [
        [422, 'validation_failed', storage, false],
        [429, 'rate_limited', 'Busy (rate_limited, 429)', false],
        [409, 'idempotency_in_progress', 'Busy (idempotency_in_progress, 409)', true],
      ] as const
      for (const [status, code, message, hasKey] of printed) {
        const api = Bun.serve({
          port: 0,
          fetch({ method, url }) {
            if (method === 'PUT') return new Response('', { status: 403 })
            if (url.endsWith('/confirm')) return problemResponse(status, code)
            const reserved = { id: 'file_1', upload_url: url, upload_headers: {} }
            return Response.json(reserved, { headers: { 'idempotent-replayed': 'true' } })
          },
        })
        const words = ['files', 'upload', file, '--patient', 'pat_1', '--kind', 'photo_id']
        const at = ['--base-url', `http://localhost:${api.port}`, '--idempotency-key', 'upload-3']
        const [ran] = await runAll([[...words, ...at]])
        await api.stop(true)
        expect(ran?.err).toContain(`Error: ${message}`)
        expect(ran?.err.includes('--idempotency-key upload-3')).toBe(hasKey)
      }
    })

    test('verify accepts signatures from sign, and prints each fault’s reason', async () => {
      const { home } = cli.shell
      const at = (name: string) => path.join(home, name)
      const secret = `whsec_${'k'.repeat(32)}`
      writeFileSync(at('event.json'), '{"id":"evt_1","type":"case.queued.v1"}')
      writeFileSync(at('changed.json'), '{ "id": "evt_1", "type": "case.queued.v1" }')
      writeFileSync(at('secret'), `${secret}\n`)
      const from = ['--secret', `@${at('secret')}`]
      const [signed] = await runAll([['webhooks', 'sign', at('event.json'), ...from, '--json']])
      const headers = JSON.parse(signed?.out ?? '') as Record<string, string>
      const header = headers['Service-Signature'] ?? ''
      const time = /t=(\d+)/.exec(header)?.[1] ?? ''
      const hmac = new Bun.CryptoHasher('sha256', secret)
      hmac.update(`${time}.{"id":"evt_1","type":"case.queued.v1"}`)
      expect(header).toBe(`t=${time},v1=${hmac.digest('hex')}`)
      const verify = (name: string, given: string) => [
        'webhooks',
        'verify',
        at(name),
        ...from,
        '--header',
        given,
      ]
      const ran = await runAll([
        verify('event.json', header),
        verify('changed.json', header),
        verify('event.json', 'nonsense'),
        verify('event.json', `t=1,${header.split(',')[1]}`),
        ['webhooks', 'verify', at('event.json'), '--secret', secret, '--header', header],
      ])
      expect(ran.map(({ code }) => code)).toEqual([0, 9, 9, 9, 2])
      const reasons = ran.slice(1, 4).map(({ err }) => /^Error: (\w+)/.exec(err)?.[1])
      expect(reasons).toEqual(['no_match', 'malformed_header', 'no_match'])
      expect(ran[4]?.err).not.toContain(secret)
    })

    test('explain, docs, openapi, postman, map, open and completion work without a login', async () => {
      const ran = await cli.shell.runAll([
        ['explain', 'consent_required'],
        ['explain', 'consent_requird'],
        ['docs', 'webhooks'],
        ['docs', 'search', 'missed', 'events', '--json'],
        ['openapi'],
        ['openapi', '--preview', '--format', 'yaml'],
        ['postman'],
        ['map', '--json'],
        ['open', 'errors/consent_required'],
        ['completion', 'fish'],
        ['cases'],
        ['help', 'sandbox', 'clock'],
        ['help', 'options'],
      ])
      expect(ran.map(({ code }) => code)).toEqual([0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0])
      expect(ran[10]?.err).toStartWith('Usage: svc cases [options] [command]')
      expect(ran[11]?.out).toStartWith('Usage: svc sandbox clock [options] [to]')
      expect(ran[12]?.out).toContain('130  Interrupted')
      const out = ran.map(one => one.out)
      expect(out[0]).toContain('Returned by svc cases create.')
      expect(out[0]).toEndWith(`\n${cli.platform.base}/docs/errors#consent_required\n`)
      expect(ran[1]?.err).toContain('Did you mean consent_required?')
      expect(out[2]).toStartWith('# Webhooks')
      expect(JSON.parse(out[3] ?? '')[0]).toHaveProperty('slug')
      expect(JSON.parse(out[4] ?? '').openapi).toStartWith('3.')
      expect(out[5]).toStartWith('openapi: ')
      expect(JSON.parse(out[6] ?? '').item.length).toBeGreaterThan(5)
      const map = (JSON.parse(out[7] ?? '') as { command: string }[]).map(({ command }) => command)
      expect(map).toContain('svc sandbox visit no-show')
      expect(map).toContain('svc test cases decide')
      expect(out[8]).toBe(`${cli.platform.base}/docs/errors#consent_required\n`)
      expect(out[9]).toContain('complete -c svc')
    })

    test('doctor checks the path to the API, and exits with 9 where it breaks', async () => {
      const well = await cli.shell.run(['doctor'], { env: env() })
      expect([well.code, well.out.includes('FAILED')]).toEqual([0, false])
      expect(well.out).toContain('ok     realtime: integration:')
      // Bun's sockets differ from Node's, so this also runs doctor with Bun.
      const underBun = await cli.shell.run(['doctor', '--json'], { env: env(), bun: true })
      const checks = JSON.parse(underBun.out) as { check: string; ok: boolean }[]
      expect(checks.filter(({ ok }) => !ok)).toEqual([])
      expect(checks.at(-1)?.check).toBe('realtime')
      const closed = Bun.serve({ port: 0, fetch: () => new Response() })
      const base = `http://localhost:${closed.port}`
      await closed.stop(true)
      const words = ['doctor', '--base-url', base]
      const ill = await cli.shell.run(words, { env: env() })
      expect([ill.code, /FAILED connection: ECONNREFUSED/.test(ill.out)]).toEqual([9, true])
    })
  })
}
