import { beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import Ajv from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { siteVersion } from '#contract/versions.ts'
import { askLimits } from './content/ask.ts'
import { sampleBuild, sampleContent } from './sample-content.ts'
import { sampleFiles, writeSampleSite } from './site/sample-site.ts'

/** What /openapi.json says, held against what the gateway answers. */
const root = join(import.meta.dir, '..')
const build = sampleBuild(writeSampleSite())
const routes = sampleContent({ build: () => build })
const ajv = new Ajv({ strict: false })
addFormats(ajv)

type Described = Record<string, { operationId: string; responses: Record<string, unknown> }>
let described: { info: { version: string }; paths: Record<string, Described> }

beforeAll(async () => {
  const command = [process.execPath, '--bun', 'site/build.ts']
  const build = Bun.spawn(command, { cwd: root, stdout: 'ignore' })
  expect(await build.exited).toBe(0)
  described = await Bun.file(join(root, 'site', 'dist', 'openapi.json')).json()
  ajv.addSchema(described, 'site')
}, 120_000)

async function held(request: Request, schema: string, status: number): Promise<unknown> {
  const answer = await routes(request)
  expect(answer.status).toBe(status)
  expect(answer.headers.get('api-version')).toBe(described.info.version)
  expect(answer.headers.has('ratelimit-policy')).toBe(true)
  const body: unknown = await answer.json()
  const check = ajv.getSchema(`site#/components/schemas/${schema}`)
  expect([check?.(body), check?.errors ?? null]).toEqual([true, null])
  return body
}

const get = (query: string) => new Request(`http://localhost/ask${query}`)
const post = (body: string, type = 'application/json') =>
  new Request('http://localhost/ask', { method: 'POST', body, headers: { 'content-type': type } })

describe('/openapi.json', () => {
  test('is of the version that every answer names', () => {
    expect(described.info.version).toBe(siteVersion)
  })

  test('describes each endpoint that answers, and none that does not', async () => {
    const dynamic = ['/ask', '/api/articles', '/api/comparisons', '/api/health', '/mcp', '/api/a2a']
    const names = Object.keys(sampleFiles)
    for (const path of dynamic) {
      expect(names).not.toContain(path.slice(1))
      const { status } = await routes(new Request(`http://localhost${path}`))
      expect([path, path in described.paths]).toEqual([path, status !== 404])
    }
    expect(Object.keys(described.paths['/ask'] ?? {})).toEqual(['get', 'post'])
  })

  test('states the limits that hold', () => {
    const text = JSON.stringify(described)
    expect(text).toContain(`"maxLength":${askLimits.queryCharacters}`)
    expect(text).toContain(`"maximum":${askLimits.resultsMax},"default":${askLimits.results}`)
  })

  test('answers and refusals have the shape that it gives them', async () => {
    await held(get('?query=how+do+webhooks+work'), 'Answer', 200)
    await held(get(''), 'Answer', 200)
    await held(post('{"query":"webhooks","limit":1}'), 'Answer', 200)
    await held(post('{"query":{"text":"webhooks","num_results":2}}'), 'Answer', 200)
    await held(get('?query=a&limit=51'), 'Problem', 400)
    await held(post('{'), 'Problem', 400)
    await held(post('{}', 'text/plain'), 'Problem', 415)
    await held(post(`{"query":"${'x'.repeat(70_000)}"}`), 'Problem', 413)
  })
})
