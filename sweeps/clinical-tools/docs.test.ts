// The guides and the contract as resources for programs, from the built site.
import { describe, expect, test } from 'bun:test'
import { exampleAddresses } from '#contract/derive/clinical.ts'
import { clinicalTools } from '#contract/tools/tools.ts'
import { operationPath } from '#content/reference.ts'
import { loadDocuments } from '#gateway/static/documents.ts'
import { openBuiltDocs } from '../testing/built-docs.ts'
import { docsQuestions } from '../testing/docs-questions.ts'

const { site, contract, docs: docsOf } = openBuiltDocs()
const docs = docsOf()

const served = async (at: string) => {
  const answer = loadDocuments(exampleAddresses).get(at)?.(new Request(`http://localhost${at}`))
  return (await answer?.text()) ?? ''
}
const textAt = (uri: string) => docs.read(uri).contents?.[0]?.text ?? ''
const messageAt = (uri: string) => {
  const read = docs.read(uri)
  return read.contents === null ? read.message : undefined
}
type Output = {
  title?: string
  required?: readonly string[]
  properties?: Record<string, object>
}
type Part = {
  paths: Record<string, Record<string, { operationId: string }>>
  components: Record<string, Record<string, object>>
}
const partAt = (uri: string) => Bun.YAML.parse(textAt(uri)) as Part
const postCase = 'svc://openapi/v1.yaml#/paths/~1v1~1cases/post'

describe('docs_search', () => {
  test('finds the committed questions’ answers in the first five results', () => {
    expect(docsQuestions.length).toBeGreaterThan(30)
    const places = docsQuestions.map(([question, answer]) => {
      return docs.search(question).results.findIndex(({ uri }) => uri === answer)
    })
    const gain = places.reduce((sum, place) => sum + (place < 0 ? 0 : 1 / (place + 1)), 0)
    // The mean reciprocal rank was 0.908 when the questions were written.
    expect(gain / docsQuestions.length).toBeGreaterThan(0.88)
  })

  test('a name from the contract finds its own page first, for each kind', () => {
    const found = ['listCases', 'PlanLine', 'invalid_transition', 'visit.booked.v1'].map(name => {
      const [first] = docs.search(name).results
      return [first?.kind, first?.uri]
    })
    expect(found).toEqual([
      ['operation', 'svc://openapi/v1.yaml#/paths/~1v1~1cases/get'],
      ['schema', 'svc://openapi/v1.yaml#/components/schemas/PlanLine'],
      ['error', 'svc://openapi/v1.yaml#/components/examples/invalid_transition'],
      ['event', 'svc://openapi/v1.yaml#/components/schemas/Event'],
    ])
  })

  test('a result names its section and an existing URL, with a short excerpt', () => {
    const asked = docsQuestions.flatMap(
      ([question]) => docs.search(question, undefined, 20).results,
    )
    expect(asked.length).toBeGreaterThan(300)
    for (const { url, heading, excerpt, score, title } of asked) {
      const { pathname, hash } = new URL(url)
      const html = site.text(`${pathname}.html`) ?? ''
      expect([url, html.includes(`id="${hash.slice(1)}"`)]).toEqual([url, hash !== ''])
      expect([url, heading !== undefined]).toEqual([url, hash !== ''])
      expect([title, excerpt.length > 0 && excerpt.length <= 400]).toEqual([title, true])
      expect(score > 0 && score < 1).toBe(true)
    }
    const [first] = docs.search('verify the signature of a webhook').results
    expect(first).toMatchObject({ heading: 'Verify', uri: 'svc://docs/webhooks' })
    expect(first?.excerpt).toContain('HMAC-SHA256')
  })

  test('kind and limit narrow the results, and better results come first', () => {
    const { results } = docs.search('cancel a case', 'operation', 20)
    expect(results.length).toBeGreaterThan(2)
    expect(new Set(results.map(({ kind }) => kind))).toEqual(new Set(['operation']))
    const scores = results.map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((one, other) => other - one))
    expect(docs.search('case', undefined, 1).results).toHaveLength(1)
    expect(docs.search('case').results).toHaveLength(5)
  })

  test('only guides and the contract are found: no article, price or preview', () => {
    for (const query of ['pricing', 'discovery call', 'advance the clock', 'listRequests']) {
      for (const { uri } of docs.search(query, undefined, 20).results) {
        expect([uri, docs.read(uri).contents === null]).toEqual([uri, false])
      }
    }
    const operations = docs.search('POST /preview/test/clock advance', 'operation', 20).results
    expect(operations.filter(({ uri }) => uri.includes('preview'))).toEqual([])
  })

  test('each result has a link; with no results, the guides are listed', () => {
    const found = docs.search('consent_required', 'error')
    expect(docs.blocks(found)[0]).toEqual({
      type: 'resource_link',
      uri: 'svc://openapi/v1.yaml#/components/examples/consent_required',
      name: 'consent_required',
      title: 'Both consents are required (consent_required)',
    })
    const none = docs.search('zzzzqqqq')
    expect(none).toEqual({ query: 'zzzzqqqq', results: [] })
    const [said, ...more] = docs.blocks(none)
    expect(said).toMatchObject({ text: expect.stringMatching(/^Nothing matched\. Guides: Quick/) })
    expect(more).toEqual([])
    const urgent = docs.blocks(docs.search('the patient cannot breathe'))
    expect(urgent).toEqual([{ type: 'text', text: expect.stringContaining('call 911') }])
  })
})

describe('resources', () => {
  test('the list has every guide in sidebar order, the contract, and skills', () => {
    const listed = docs.list().filter(({ uri }) => uri.startsWith('svc:'))
    const [skill, ...skills] = docs.list().slice(listed.length)
    expect([skill?.uri, skills.every(({ uri }) => uri.startsWith('skill:'))]).toEqual([
      'skill://ask-the-site/SKILL.md',
      true,
    ])
    const guides = listed.slice(0, -1)
    const index = site.text('/docs/llms.txt') ?? ''
    const sidebar = [...index.matchAll(/\/docs\/([a-z-]+)\.md\)/g)].map(([, slug = '']) => slug)
    expect(guides.length).toBeGreaterThan(20)
    expect(guides.map(({ name }) => name)).toEqual(sidebar.filter(slug => slug !== 'api'))
    expect(listed.at(-1)?.uri).toBe('svc://openapi/v1.yaml')
    for (const { uri, name, size, mimeType, annotations } of listed) {
      const { priority, audience, lastModified } = annotations
      expect(size).toBe(Buffer.byteLength(textAt(uri)))
      expect(audience).toEqual(['assistant', 'user'])
      expect(priority).toBe(['quickstart', 'errors'].includes(name) ? 0.9 : 0.5)
      if (mimeType === 'text/markdown') expect(lastModified).toMatch(/^\d{4}-\d\d-\d\dT00:00:00Z$/)
    }
    expect(docs.templates.map(({ uriTemplate }) => uriTemplate)).toEqual(['svc://docs/{slug}'])
  })

  test('a guide is the published Markdown, and the contract is the served bytes', async () => {
    expect(textAt('svc://docs/webhooks')).toBe(site.text('/docs/webhooks.md') ?? '')
    expect(textAt('svc://docs/webhooks')).toStartWith('---\ntitle: "Webhooks')
    expect(textAt('svc://openapi/v1.yaml')).toBe(await served('/openapi/v1.yaml'))
  })

  test('a guide’s fragment returns that section, for every heading in every guide', () => {
    const guides = docs.list().filter(({ uri }) => uri.startsWith('svc://docs/'))
    const read = guides.flatMap(({ uri, name }) => {
      const main = /<main[^>]*>([\s\S]*)<\/main>/.exec(site.text(`/docs/${name}.html`) ?? '')?.[1]
      const ids = [...(main ?? '').matchAll(/<h[2-4]\b[^>]*\bid="([^"]+)"/g)].map(found => found[1])
      return ids.map(id => ({ whole: textAt(uri), address: `${uri}#${id}` }))
    })
    expect(read.length).toBeGreaterThan(200)
    for (const { whole, address } of read) {
      const text = textAt(address)
      // A comment in code isn't a heading and doesn't end a section.
      const isWhole = [...text.matchAll(/^ *```/gm)].length % 2 === 0
      expect([address, /^#{2,4} /.test(text), isWhole, whole.includes(text.trimEnd())]).toEqual([
        address,
        true,
        true,
        true,
      ])
    }
    const [first] = docs.search('verify the signature of a webhook').results
    const section = textAt(`${first?.uri}${new URL(first?.url ?? '').hash}`)
    expect(section).toStartWith('## Verify\n')
    expect(section).toContain('HMAC-SHA256')
    expect(section.match(/^## /gm)).toHaveLength(1)
    expect(messageAt('svc://docs/webhooks#verfy')).toBe(
      "No guide 'webhooks#verfy'. Did you mean 'webhooks#verify'?",
    )
    expect(messageAt('svc://docs/webhook#verify')).toContain("Did you mean 'webhooks'?")
  })

  test('a fragment returns one operation and everything it refers to, and nothing else', () => {
    const part = partAt(postCase)
    expect(Object.keys(part.paths)).toEqual(['/v1/cases'])
    expect(part.paths['/v1/cases']?.['post']?.operationId).toBe('createCase')
    const schemas = Object.keys(part.components['schemas'] ?? {})
    for (const name of ['Case', 'PlanLine', 'Problem']) expect(schemas).toContain(name)
    expect(schemas).not.toContain('Visit')
    expect(textAt(postCase).length).toBeLessThan(30_000)
    expect(textAt(postCase)).toStartWith('openapi: 3.1.1\n')
  })

  test('an output schema’s title names a contract schema, with each field and its type', () => {
    const titled = clinicalTools.flatMap(({ name, output }) => {
      const { title, required = [] } = (output.properties?.['data']?.['items'] as Output) ?? output
      return title === undefined ? [] : [{ name, title, required }]
    })
    // A slot has no separate schema.
    expect(titled).toHaveLength(clinicalTools.length - 1)
    for (const { name, title, required } of titled) {
      const part = partAt(`svc://openapi/v1.yaml#/components/schemas/${title}`)
      const { properties = {} } = (part.components['schemas']?.[title] ?? {}) as Output
      const untyped = required.filter(member => Object.keys(properties[member] ?? {}).length === 0)
      expect([name, title, untyped]).toEqual([name, title, []])
    }
  })

  test('every searchable part is readable, and each reference leads to a part', () => {
    const { document } = contract
    const uris = new Set(
      Object.entries(document['paths'] as Record<string, object>).flatMap(([at, methods]) =>
        Object.values(methods).map(({ operationId }) => {
          const found = docs.search(operationId, 'operation').results
          const here = found.find(({ url }) => url.endsWith(operationPath(operationId)))
          expect([at, here?.uri]).toEqual([at, expect.stringContaining('#/paths/')])
          return here?.uri ?? ''
        }),
      ),
    )
    expect(uris.size).toBe(65)
    for (const uri of uris) {
      const text = JSON.stringify(partAt(uri))
      const { components } = JSON.parse(text)
      const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g)]
      expect(references.length).toBeGreaterThan(5)
      for (const [, kind = '', name = ''] of references) {
        expect([uri, kind, name, components[kind]?.[name] !== undefined]).toEqual([
          uri,
          kind,
          name,
          true,
        ])
      }
    }
  })

  test('a URI is read whether or not its braces are encoded', () => {
    const encoded = 'svc://openapi/v1.yaml#/paths/~1v1~1cases~1%7Bid%7D/get'
    expect(textAt(encoded)).toContain('operationId: getCase')
    expect(textAt(encoded.replace('%7Bid%7D', '{id}'))).toBe(textAt(encoded))
  })

  test('an unknown URI names the nearest, and repeats only a URI', () => {
    expect(messageAt('svc://docs/webhook')).toBe("No guide 'webhook'. Did you mean 'webhooks'?")
    expect(messageAt('svc://openapi/v1.yaml#/paths/~1v1~1case/post')).toBe(
      `No resource 'svc://openapi/v1.yaml#/paths/~1v1~1case/post'. Did you mean '${postCase}'?`,
    )
    const strange = [
      'svc://docs/<script>',
      'svc://docs/constructor',
      'svc://openapi/v1.yaml#/info',
      'svc://openapi/v1.yaml#/paths/constructor',
      'svc://openapi/v1.yaml#/paths/%E0%A4%A',
      'svc://openapi/v1.yaml#paths',
      `file:///${'x'.repeat(300)}`,
      '',
    ]
    for (const uri of strange) {
      expect(messageAt(uri)).toMatch(/^No (guide|resource) /)
      expect(messageAt(uri)).not.toContain('<script>')
    }
  })
})
