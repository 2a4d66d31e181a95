// Every operation as a command: the example in its help runs against a real platform.

import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { callableIds } from '#contract/callable.ts'
import { rivera } from '#contract/examples.ts'
import { commands } from '../generate/cli/commands.ts'
import type { Cli } from './testing/use-cli.ts'

type Resources = Record<string, string>

/** One resource of each kind, in the status that an example expects. */
async function resources({ call }: Cli, endpoint: string): Promise<Resources> {
  const patient = String((await call('POST', '/v1/patients', rivera))['id'])
  const consent = async (kind: string) =>
    String(
      (await call('POST', `/v1/patients/${patient}/consents`, { kind, version: '2026-09-01' }))[
        'id'
      ],
    )
  const all: Resources = { patient, telehealth: await consent('telehealth') }
  all['privacy'] = await consent('privacy')
  all['webhook_endpoint'] = String(
    (await call('POST', '/v1/webhook_endpoints', { url: endpoint, event_types: ['*'] }))['id'],
  )
  const file = { patient, kind: 'photo_id', filename: 'license.jpg', mime: 'image/jpeg' }
  all['file'] = String((await call('POST', '/v1/files', file))['id'])
  const event = await call('POST', '/v1/test/webhooks/trigger', { type: 'order.shipped.v1' })
  all['event'] = String(event['id'])
  return all
}

/** The requests that move a new case to the status an example expects. */
const before: Readonly<Record<string, readonly (readonly [path: string, body: object])[]>> = {
  answerCase: [
    ['decision', { decision: 'needs_info', target: 'patient', question: 'Since when?' }],
  ],
  sendClinicianMessage: [],
  shipCase: [['decision', { decision: 'approve' }]],
  blockCase: [['decision', { decision: 'approve' }]],
  failCase: [['decision', { decision: 'approve' }]],
  deliverCase: [
    ['decision', { decision: 'approve' }],
    ['ship', {}],
  ],
  getPrescription: [['decision', { decision: 'approve' }]],
  getOrder: [['decision', { decision: 'approve' }]],
}

/** Examples that exit with a code other than 0, and why. */
const otherwise: Readonly<Record<string, [code: number, says: string]>> = {
  getJoinLink: [3, 'join_not_open'],
  getInvoice: [6, 'not_found'],
  getPatientExport: [6, 'not_found'],
  getExport: [6, 'not_found'],
  downloadExport: [6, 'not_found'],
  getReplay: [6, 'not_found'],
  cancelReplay: [6, 'not_found'],
  getDestination: [6, 'not_found'],
  getTableExport: [6, 'not_found'],
  updateDestination: [6, 'not_found'],
  deleteDestination: [6, 'not_found'],
  getRequest: [6, 'not_found'],
}

const kinds: Readonly<Record<string, string>> = {
  pat: 'patient',
  evt: 'event',
  we: 'webhook_endpoint',
}

/** These commands run last, because they remove or replace resources that other commands need. */
const removes = /^(delete(File|WebhookEndpoint)|recordConsent|publishConsentVersion)$/
const isLast = ({ id }: { id: string }) => Number(removes.test(id))

async function fillCase({ call }: Cli, all: Resources, id: string): Promise<Resources> {
  const filed = await call('POST', '/v1/cases', {
    patient: all['patient'],
    consent_ids: [all['telehealth'], all['privacy']],
    requested_medications: [{ medication_id: 'med_01ke5q8600cs8dx2pfwah5v0tz' }],
    hold: id === 'releaseCase',
  })
  const own: Resources = { case: String(filed['id']) }
  for (const [step, body] of before[id] ?? []) {
    const after = await call('POST', `/v1/test/cases/${own['case']}/${step}`, body)
    own['rx'] = String((after['prescription_ids'] as string[] | undefined)?.[0])
    own['ord'] = String((after['order_ids'] as string[] | undefined)?.[0])
  }
  return own
}

let taken = 0

/** Each example needs its own slot. */
async function bookVisit({ call }: Cli, patient: string | undefined, isStarted: boolean) {
  const slots = await call('GET', '/v1/visits/slots?state=CA&limit=100')
  const free = slots.data
  const visit = await call('POST', '/v1/visits', { patient, starts_at: free[taken++]?.starts_at })
  if (isStarted) await call('POST', `/v1/test/visits/${String(visit['id'])}/start`)
  return { vis: String(visit['id']), slot: String(free[free.length - taken]?.starts_at) }
}

export function commandSuite(cli: Cli, endpoint: () => string): void {
  describe('the package', () => {
    test('has the bundled code’s licenses, no source map and nothing from this machine', () => {
      const { folder } = cli.shell.installed
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      expect(files.filter(name => /\.(map|ts|test)$|node_modules/.test(name))).toEqual([])
      for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE', 'dist/svc.js']) {
        expect(files).toContain(name)
      }
      const licenses = readFileSync(path.join(folder, 'dist/licenses.txt'), 'utf8')
      for (const name of ['commander', 'cli-table3', '@clack/prompts', 'smol-toml', 'ws']) {
        expect(licenses).toContain(`${name}\n\n`)
      }
      const code = files.filter(name => name.endsWith('.js')).map(name => path.join(folder, name))
      expect(code.length).toBeGreaterThan(30)
      const root = path.join(import.meta.dir, '../..')
      expect(code.filter(file => readFileSync(file, 'utf8').includes(root))).toEqual([])
    })
  })

  describe('operations as commands', () => {
    test('each API and preview operation has a command with an example', async () => {
      const all = commands()
      expect(all.map(({ id }) => id)).toEqual([...callableIds])
      const words = all.map(({ words }) => words.join(' '))
      expect(new Set(words).size).toBe(all.length)
      for (const { words, example, body } of all) {
        const needsBody = body?.some(({ isRequired }) => isRequired) ?? false
        expect([words, !needsBody || example.includes('-d')]).toEqual([words, true])
      }
    })

    test('each example runs as printed in its help', async () => {
      const shared = await resources(cli, endpoint())
      const lines: string[][] = []
      const rows = commands()
        .filter(({ id }) => !['deletePatient', 'resetSandbox'].includes(id))
        .toSorted((a, b) => isLast(a) - isLast(b))
      expect(rows.length).toBeGreaterThan(60)
      for (const { id, words, example } of rows) {
        const own = example.some(word => /case_|rx_|ord_/.test(word))
          ? await fillCase(cli, shared, id)
          : {}
        const visit = /^(getVisit|.*Visit|getJoinLink)$/.test(id)
          ? await bookVisit(cli, shared['patient'], id === 'completeVisit')
          : {}
        const all = { ...shared, ...own, ...visit }
        lines.push([...words, ...example.map(word => withRealValues(word, all, endpoint()))])
      }
      const ran = await cli.shell.runAll(lines, { env: { SVC_API_KEY: cli.platform.key } })
      const outcomes = ran.map(({ code, out, err }, at) => {
        const [wanted, says] = otherwise[rows[at]?.id ?? ''] ?? [0, '']
        const isRight = code === wanted && err.includes(says) && (code !== 0 || out + err !== '')
        return isRight ? 'as promised' : `${lines[at]?.join(' ')}: ${code} ${err}`
      })
      expect(outcomes.filter(one => one !== 'as promised')).toEqual([])
      const endpoints = await cli.call('GET', '/v1/webhook_endpoints')
      for (const { id } of endpoints.data) {
        await cli.call('DELETE', `/v1/webhook_endpoints/${id}`)
      }
      // Restores the default consent versions, which the scenarios in later tests use.
      for (const kind of ['telehealth', 'privacy']) {
        await cli.call('POST', '/preview/test/consent_versions', { kind, version: null })
      }
    }, 60_000)
  })
}

/** Replaces an example's IDs and times with some that exist here and now. */
function withRealValues(word: string, all: Resources, endpoint: string): string {
  const [consent, privacy] = ['cons_01m7wqrxwwqzrsprbqaspd0s6r', 'cons_01m7wqry2gzsngmxkkvxnyg1ps']
  return word
    .replaceAll(consent, all['telehealth'] ?? '')
    .replaceAll(privacy, all['privacy'] ?? '')
    .replaceAll('https://hooks.brand.example/clinical', endpoint)
    .replace(/^starts_at=.*/, `starts_at=${all['slot']}`)
    .replace(/^since=.*/, `since=${new Date(Date.now() - 3_600_000).toISOString()}`)
    .replaceAll(/\b(pat|case|evt|we|rx|ord|vis|file)_[0-9a-z]{26}\b/g, (id, prefix: string) => {
      return all[kinds[prefix] ?? prefix] ?? id
    })
}
