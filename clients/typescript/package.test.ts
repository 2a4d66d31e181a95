// The shipped package: its contents, its size, and that it runs in every runtime.
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rolldown } from 'rolldown'
import config from '#content/site.config.ts'
import { openTestGateway } from '#gateway/testing/gateway.ts'
import cli from '../cli/manifest.json'
import manifest from './manifest.json'
import { until } from '#http/testing/until.ts'
import { installedPackage } from './testing/package.ts'
import { commandOf, installed, more, run, runtimes } from './testing/runtimes.ts'

const root = path.join(import.meta.dir, '../..')

let gateway: Awaited<ReturnType<typeof openTestGateway>>
let folder: string
beforeAll(async () => {
  gateway = await openTestGateway()
  folder = (await installedPackage()).folder
  for (const name of ['consult.mjs', 'loop.mjs', 'worker.mjs']) {
    await cp(path.join(import.meta.dir, 'testing', name), path.join(folder, name))
  }
})
afterAll(async () => {
  await gateway.close()
})

const settings = () => ({
  SVC_API_KEY: gateway.fixtures.ada.test,
  SVC_BASE_URL: `http://localhost:${gateway.port}`,
})
const loop = {
  refused: ['telehealth', 'privacy'],
  status: 'approved',
  order: 'delivered',
  events: 3,
  key: 'svcsdk_',
}
const expected = { version: manifest.version, real: loop, mock: loop }

describe('runtimes: the installed package completes the loop', () => {
  test.each(runtimes)(
    '%s',
    async runtime => {
      const command = [...(await commandOf(runtime)), 'loop.mjs']
      const { out, err, code } = await run(command, folder, settings())
      expect([code, err]).toEqual([0, ''])
      expect(JSON.parse(out)).toEqual({ ...expected, commonjs: 'function' })
    },
    300_000,
  )
  test.each(more.filter(name => name === 'workerd'))(
    '%s, which runs Workers',
    async name => {
      const answer = await answerOfWorker(await installed(name))
      expect(answer).toEqual({ ...expected, webhook: 'order.shipped.v1' })
    },
    300_000,
  )
})

const chromium = Bun.which('chromium')

test.skipIf(chromium === null)(
  'a browser: a page completes the loop',
  async () => {
    const page = path.join(folder, 'page.mjs')
    const given = JSON.stringify(settings())
    const program = `import worker from './worker.mjs'
      const env = { ...${given}, SVC_BASE_URL: location.origin }
      const work = worker.fetch({ url: location.href }, env).then(one => one.text(), String)
      work.then(body => fetch('/result', { method: 'POST', body }))`
    writeFileSync(page, program)
    const built = await rolldown({ input: page, platform: 'browser' })
    const { output } = await built.generate({ format: 'esm' })
    const result = Promise.withResolvers<string>()
    const html = `<script type="module">${output[0].code}</script>`
    const server = Bun.serve({
      port: 0,
      async fetch(request) {
        const { pathname, search } = new URL(request.url)
        if (pathname === '/')
          return new Response(html, { headers: { 'content-type': 'text/html' } })
        if (pathname === '/result') {
          result.resolve(await request.text())
          return new Response()
        }
        return fetch(`http://localhost:${gateway.port}${pathname}${search}`, request)
      },
    })
    const options = [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      `--user-data-dir=${folder}/page`,
    ]
    const browser = Bun.spawn([chromium ?? '', ...options, `http://localhost:${server.port}/`], {
      stdout: 'ignore',
      stderr: 'ignore',
    })
    try {
      expect(await result.promise).toStartWith('{')
      expect(JSON.parse(await result.promise)).toEqual({ ...expected, webhook: 'order.shipped.v1' })
    } finally {
      browser.kill()
      await browser.exited
      await server.stop(true)
    }
  },
  60_000,
)

test('packages, classes and the command are named after the slug', async () => {
  const { slug } = config
  const [first = '', ...rest] = slug.replaceAll(/-(.)/g, (_, letter: string) =>
    letter.toUpperCase(),
  )
  const name = `${first.toUpperCase()}${rest.join('')}`
  const [sdk, testing] = ['sdk.ts', 'testing.ts'].map(file =>
    Object.keys(require(path.join(import.meta.dir, 'src', file))),
  )
  expect(sdk).toEqual(expect.arrayContaining([name, `${name}Error`]))
  expect(testing).toContain(`mock${name}`)
  expect([manifest.name, cli.name, Object.keys(cli.bin)]).toEqual([
    `@${slug}/sdk`,
    `${slug}-cli`,
    [slug],
  ])
  const python = await Bun.file(path.join(root, 'clients/python/pyproject.toml')).text()
  expect(python).toContain(`name = "${slug}-sdk"`)
  expect(existsSync(path.join(root, 'clients/python/src', slug.replaceAll('-', '_')))).toBe(true)
})

/** Runs the loop in a separate Worker, with one request. */
async function answerOfWorker(workerd: string): Promise<unknown> {
  const built = await rolldown({ input: path.join(folder, 'worker.mjs'), platform: 'neutral' })
  await built.write({ file: path.join(folder, 'worker/worker.js'), format: 'esm' })
  const bindings = Object.entries(settings()).map(
    ([name, text]) => `(name = "${name}", text = "${text}")`,
  )
  const socket = path.join(folder, 'worker/socket')
  rmSync(socket, { force: true })
  const config = `using Workerd = import "/workerd/workerd.capnp";
    const config :Workerd.Config = (
      services = [
        (name = "main", worker = (
          modules = [(name = "worker.js", esModule = embed "worker.js")],
          bindings = [${bindings.join(', ')}],
          compatibilityDate = "2026-11-01",
        )),
        (name = "internet", network = (allow = ["private", "public"])),
      ],
      sockets = [(name = "http", address = "unix:${socket}", http = (), service = "main")],
    );`
  writeFileSync(path.join(folder, 'worker/config.capnp'), config)
  const command = [workerd, 'serve', path.join(folder, 'worker/config.capnp')]
  const server = Bun.spawn(command, { stdout: 'ignore', stderr: 'pipe' })
  try {
    await until(() => existsSync(socket) || server.exitCode !== null)
    if (server.exitCode !== null) throw new Error(await new Response(server.stderr).text())
    return await (await fetch('http://localhost/', { unix: socket })).json()
  } finally {
    server.kill()
    await server.exited
  }
}

/** Compiled with the strictest settings, without browser or Node types. */
const program = `
import { type Case, ConsentRequiredError, isEvent, Svc, type CaseStatus } from '@svc/sdk'
import { type Event, unwrap } from '@svc/sdk/webhooks'
import { fixtures, mockSvc, recordEvents } from '@svc/sdk/testing'

const svc = new Svc({ apiKey: async () => 'svc_sk_test_x', expectMode: 'test' })
const status: CaseStatus = 'approved'
export async function use(request: Request): Promise<string[]> {
  const list = svc.cases.list({ status })
  for await (const one of list) if (one.status === 'approved') return one.order_ids
  const page = await list
  const next: { data: Case[]; has_more: boolean } | null = await page.next()
  const event = await unwrap(request, ['a', 'b'])
  if (isEvent(event, 'case.approved.v1', 'order.shipped.v1')) {
    if (event.type === 'case.approved.v1') return event.data?.order_ids ?? [event.resource.id]
    return [event.data?.tracking?.number ?? '']
  }
  const made = fixtures.event('order.shipped.v1')
  const events = await recordEvents(mockSvc(), () => svc.test.reset())
  try {
    const { data, requestId, replayed } = await svc.cases.release('case_x').withResponse()
    return [data.id, data.requestId, requestId, String(replayed), made.type, ...events.map(e => e.id)]
  } catch (error) {
    if (error instanceof ConsentRequiredError) return error.missing ?? []
    throw error
  }
}
export function narrowed(event: Event): string {
  switch (event.type) {
    case 'case.approved.v1':
      return event.data?.order_ids[0] ?? (event.resource.type satisfies 'case')
    case 'order.shipped.v1':
      return event.data?.tracking?.number ?? ''
    case 'patient.updated.v1':
      if (event.data === undefined || 'deleted' in event.data) return event.resource.id
      return event.data.first_name
    default:
      return event.type
  }
}
export const received = (body: Uint8Array, headers: Record<string, string[]>) =>
  svc.webhooks.unwrap(body, headers)
// @ts-expect-error -- no such decision
svc.test.cases.decide('case_x', { decision: 'aprove' })
// @ts-expect-error -- no such sex
svc.patients.update('pat_x', { sex_at_birth: 'femal' })
// @ts-expect-error -- no such event type
svc.webhookEndpoints.create({ url: 'https://example.com', event_types: ['case.aproved.v1'] })
// @ts-expect-error -- a case needs a patient
svc.cases.create({ requested_medications: [] })
// @ts-expect-error -- an array needs a limit
svc.cases.list().toArray()
`

test('types: a strict program and its declarations compile as both kinds of module', async () => {
  const place = mkdtempSync(path.join(folder, 'types-'))
  const options = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.asynciterable'],
    types: [],
    skipLibCheck: false,
    exactOptionalPropertyTypes: true,
  }
  writeFileSync(path.join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }))
  for (const ending of ['mts', 'cts']) writeFileSync(path.join(place, `program.${ending}`), program)
  const { out, code } = await run([path.join(root, 'node_modules/.bin/tsc'), '-p', place], place)
  rmSync(place, { recursive: true })
  expect([code, out]).toEqual([0, ''])
}, 60_000)

/** The size in bytes of a program after bundling. */
async function bundled(source: string): Promise<number> {
  const file = path.join(folder, `entry-${Bun.hash(source)}.mjs`)
  writeFileSync(file, source)
  const built = await rolldown({ input: file, platform: 'neutral' })
  const { output } = await built.generate({ minify: true, format: 'esm' })
  rmSync(file)
  return output.reduce((sum, one) => sum + ('code' in one ? Buffer.byteLength(one.code) : 0), 0)
}

describe('contents', () => {
  test('the package has every entry and no dependencies', () => {
    const place = path.join(folder, 'node_modules')
    expect(readdirSync(place).filter(name => !name.startsWith('.'))).toEqual(['@svc'])
    const inside = readdirSync(path.join(place, '@svc/sdk')).toSorted()
    expect(inside).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'cjs',
      'esm',
      'package.json',
      'vectors.json',
    ])
    expect(Object.keys(manifest)).not.toContain('dependencies')
  })
  test('size: the client fits in 40 kB, and a webhook receiver in 3.4 kB', async () => {
    const client = await bundled(`export { Svc } from '@svc/sdk'`)
    const receiver = await bundled(`export { unwrap, verifySignature } from '@svc/sdk/webhooks'`)
    console.log(`  minified: client ${client} bytes, receiver ${receiver} bytes`)
    expect(client).toBeLessThan(40_000)
    expect(receiver).toBeLessThan(3400)
  })
})
