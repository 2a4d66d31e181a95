import { expect, test } from 'bun:test'
import { operationIds, table } from '#contract/api.ts'
import { requestExamples } from '#contract/examples.ts'
import { eventTypes } from '#contract/events.ts'
import { problemCodesOf } from '#contract/problems.ts'
import { allScopes } from '#contract/scopes.ts'
import { anchor } from '#content/checks/blocks.ts'
import { eventPath, operationPath, problemPath, schemaPath, scopePath } from '#content/reference.ts'
import { linkScopes } from '../blocks/scopes.ts'
import { tabForms } from '../html.ts'
import { contract } from './contract.ts'
import { fieldRows } from './field-rows.ts'
import { fieldLines, fieldsOf } from './fields.ts'
import { markdownOf } from './parts.ts'
import { groupsOf, referencePages } from './pages.ts'

const pages = referencePages()
const pageAt = (path: string) => markdownOf(pages.find(page => page.path === path)?.body ?? [])

/** Every form of every request, in one language. */
const forms = (language: string) =>
  operationIds.map(id => {
    const found = new RegExp(`\`\`\`${language}\n([^]*?)\n\`\`\``).exec(pageAt(operationPath(id)))
    return { id, text: found?.[1] ?? '' }
  })

test('reference: one page for every operation, schema, event and error', () => {
  const wanted = [
    '/docs/api',
    '/docs/api/scopes',
    ...operationIds.map(operationPath),
    ...Object.keys(contract.components.schemas).map(schemaPath),
    ...eventTypes.map(eventPath),
    ...[...new Set([...problemCodesOf('v1'), ...problemCodesOf('site')])].map(problemPath),
  ]
  expect(pages.map(({ path }) => path).sort()).toEqual(wanted.sort())
  const listed = groupsOf(pages).flatMap(group => group.pages)
  expect(listed).toHaveLength(pages.length - 2)
})

test('reference: an operation’s label says what is done to what, in one sentence', () => {
  for (const { label } of pages.filter(({ route }) => route !== undefined)) {
    expect(label).toMatch(/^[^.]* [^.]*$/)
  }
})

test('reference: every error says which API returns it', () => {
  for (const code of [...problemCodesOf('v1'), ...problemCodesOf('site')]) {
    const answering = pageAt(problemPath(code)).split('## Where it occurs')[1] ?? ''
    expect([code, answering]).toEqual([code, expect.stringMatching(/\w/)])
    expect(answering).not.toContain(': .')
  }
})

test('reference: every internal link leads to a page', () => {
  const guides = ['/docs/quickstart', '/docs/concepts']
  const known = new Set([...pages.map(({ path }) => path), '/docs/api/try', ...guides])
  for (const { path, body } of pages) {
    for (const [, to = ''] of markdownOf(body).matchAll(/\]\((\/[^)#]*)/g)) {
      if (!known.has(to) && !to.startsWith('/openapi')) throw new Error(`${path} links ${to}`)
    }
  }
})

test('reference: the curl example sends the example body', () => {
  const texts = forms('sh')
  for (const { id, text } of texts) {
    expect([id, text.includes(`"$API/v1/`)]).toEqual([id, true])
    const sent = /-d '([^]*)'$/.exec(text)?.[1]?.replaceAll(`'\\''`, "'")
    const example = Object.values(requestExamples(id))[0]
    expect([id, sent === undefined ? undefined : JSON.parse(sent)]).toEqual([id, example])
  }
  const read = Bun.spawnSync(['bash', '-n'], {
    stdin: Buffer.from(texts.map(({ text }) => text).join('\n')),
  })
  expect(read.stderr.toString()).toBe('')
})

test('reference: the TypeScript example sends the same request', async () => {
  for (const { id, text } of forms('ts')) {
    const sent: { url: string; method?: string; body?: string }[] = []
    const fetch = async (url: string, init: { method?: string; body?: string }) => {
      sent.push({ url, ...init })
      return { ok: true, json: async () => ({}) }
    }
    const program = new Bun.Transpiler({ loader: 'ts' }).transformSync(text)
    const run = Object.getPrototypeOf(async () => {}).constructor
    const env = { API: 'http://platform', KEY: 'key' }
    const body = program.replace(/^import .*$/m, '')
    await run('fetch', 'env', 'console', body)(fetch, env, { log() {} })
    const [one] = sent
    expect([id, one?.method ?? 'GET']).toEqual([id, table[id].method])
    expect(one?.url).toStartWith('http://platform/v1/')
    const example = Object.values(requestExamples(id))[0]
    expect([id, one?.body && JSON.parse(one.body)]).toEqual([id, example])
  }
})

test('reference: the Python examples are valid Python', () => {
  const python = Bun.which('python3')
  if (python === null) return
  const read = 'import ast, json, sys; [ast.parse(text) for text in json.load(sys.stdin)]'
  const texts = JSON.stringify(forms('python').map(({ text }) => text))
  const ran = Bun.spawnSync([python, '-c', read], { stdin: Buffer.from(texts) })
  expect(ran.stderr.toString()).toBe('')
})

test('reference: every operation is under its scope', () => {
  const [, ...sections] = pageAt('/docs/api/scopes').split(/^## /m)
  const under = sections.map(text => ({
    scope: /^`(.+)`$/m.exec(text)?.[1],
    operations: [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(hit => hit[1]),
  }))
  expect(under).toEqual(
    allScopes.map(scope => ({
      scope,
      operations: operationIds.filter(id => table[id].scope === scope).map(operationPath),
    })),
  )
  for (const scope of allScopes) expect(scopePath(scope)).toEndWith(`#${anchor(`\`${scope}\``)}`)
})

test('reference: a scope in code is linked, unless it is a link already', () => {
  const link = '[`cases:read`](/docs/api/scopes#casesread)'
  expect(linkScopes('A key with `cases:read`, not `cases:eat`.')).toBe(
    `A key with ${link}, not \`cases:eat\`.`,
  )
  const left = [
    '## `cases:read`',
    '[`cases:read`](/x)',
    '```sh\n`cases:read`\n```',
    '``cases:read``',
  ]
  for (const text of left) expect(linkScopes(text)).toBe(text)
  expect(linkScopes('| `cases:read` | yes |')).toBe(`| ${link} | yes |`)
})

const fields = fieldsOf({
  required: ['id'],
  properties: {
    id: {
      type: 'string',
      pattern: '^case_[0-7][0-9a-hjkmnp-tv-z]{25}$',
      description: "The case's own.",
    },
    hold: { type: 'boolean', default: false },
    at: { anyOf: [{ $ref: '#/components/schemas/PlanLine' }, { type: 'null' }] },
    lines: {
      type: 'array',
      minItems: 1,
      maxItems: 3,
      items: { properties: { n: { type: 'integer', minimum: 1 } }, type: 'object' },
    },
    note: { type: ['string', 'null'], minLength: 1, maxLength: 9 },
    kind: { type: ['string', 'null'], enum: ['a', 'b', null] },
    topic: { type: 'string', 'x-open-enum': ['c'] },
  },
})

test('reference: a field is one line with name, type, requirement and description', () => {
  expect(fieldLines(fields, 'request')).toEqual([
    "- `id`: string, required, begins with `case_`. The case's own.",
    '- `hold`: boolean, default `false`.',
    '- `at`: [PlanLine](/docs/api/schemas/plan-line), nullable.',
    '- `lines`: array of objects, 1 to 3 items.',
    '  - `n`: integer, at least 1.',
    '- `note`: string, nullable, 1 to 9 characters.',
    '- `kind`: string, nullable, one of `a`, `b`.',
    '- `topic`: string, one of `c`. Values may be added.',
  ])
  expect(fieldLines(fields, 'response')[1]).toContain('not always present')
})

test('reference: a page shows a field as a row, and the fields inside it on request', () => {
  const html = fieldRows(fields, 'request', 'body')
  expect(html).toContain('<li id="body.id">')
  expect(html).toContain('<span class="badge badge-required">required</span>')
  expect(html).toContain('<p>The case’s own.</p>')
  expect(html).toContain('<a href="/docs/api/schemas/plan-line">PlanLine</a>')
  expect(html).toContain('<summary>1 field of <code>lines</code></summary>')
  expect(html).toContain('<li id="body.lines.n">')
})

test('reference: an event names its previous states', () => {
  expect(pageAt('/docs/api/events/case-approved-v1')).toContain('"previous_status": "in_review"')
  expect(pageAt('/docs/api/events/case-received-v1')).toContain('"previous_status": null')
  expect(pageAt('/docs/api/events/order-delivered-v1')).toContain('"previous_status": "shipped"')
  expect(pageAt('/docs/api/events/order-at-pharmacy-v1')).not.toContain('previous_status')
})

test('reference: the forms of a request become tabs, the first one open', () => {
  const one = (name: string) =>
    `<h3 id="x">${name}</h3>\n<div class="code-block"><p class="code-head">x</p><pre class="code" data-language="sh">x</pre></div>\n`
  const html = tabForms(`<p>a</p>${one('curl')}${one('TypeScript')}${one('Python')}<p>b</p>`)
  expect(html.match(/<input /g)).toHaveLength(3)
  expect(html.match(/ checked>/g)).toHaveLength(1)
  expect(html).not.toContain('<h3')
  expect(tabForms(one('curl'))).toBe(one('curl'))
})
