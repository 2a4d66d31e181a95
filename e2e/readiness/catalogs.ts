// The catalogs in which an agent looks up a service, each checked against its own standard.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import Ajv from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { root } from '../servers.ts'
import { linksIn } from './files.ts'
import { allAnswer, at, type Check, entries, list, must, parsed, word } from './scan.ts'

/** The official schema of OpenAPI 3.1, changed only so that validators can load it. */
const openapiSchema = 'node_modules/@seriousme/openapi-schema-validator/schemas/v3.1/schema.json'

/** `schema` is the path of an official schema in the repository or in an installed package. */
export function mustFit(schema: string, value: unknown, what: string): void {
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false })
  addFormats(ajv)
  const file = path.join(root, schema)
  const check = ajv.compile(JSON.parse(readFileSync(file, 'utf8')))
  const fits = check(value)
  must(fits, `${what}: ${ajv.errorsText(check.errors?.slice(0, 3))}`)
}

const apiCatalog: Check = {
  name: 'api-catalog (RFC 9727)',
  async run(scan) {
    const where = '/.well-known/api-catalog'
    const answer = await scan.ask(where)
    const profiled = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'
    must(answer.type === profiled, `${where} is ${answer.type}`)
    const contexts = list(at(parsed(answer, where), 'linkset'))
    must(contexts.length > 0, 'the linkset is empty')
    const targets = contexts.flatMap(context => {
      must(URL.canParse(word(at(context, 'anchor'))), 'a context has no anchor')
      return entries(context).flatMap(([rel, all]) => {
        if (rel === 'anchor') return []
        must(Array.isArray(all), `the value of ${rel} is not an array`)
        return list(all).map(target => ({ rel, href: word(at(target, 'href')) }))
      })
    })
    for (const rel of ['item', 'service-desc', 'service-doc']) {
      must(
        targets.some(target => target.rel === rel),
        `nothing is linked as ${rel}`,
      )
    }
    await allAnswer(
      scan,
      targets.map(({ href }) => href),
    )
    const head = await scan.ask(where, { method: 'HEAD' })
    const itself = linksIn(head.headers.get('link')).some(({ rel }) => rel === 'api-catalog')
    must(itself, `HEAD ${where} has no Link rel="api-catalog"`)
    return `${contexts.length} contexts, ${targets.length} links`
  },
}

const methods = new Set(['get', 'put', 'post', 'delete', 'patch', 'head', 'options'])

/** Checks that every operation has a unique name, a description, and documented errors. */
function openapi(where: string): Check {
  return {
    name: `${where} (OpenAPI 3.1)`,
    async run({ ask }) {
      const answer = await ask(where)
      must(/^application\/(json|vnd\.oai\.openapi\+json)/.test(answer.type), `is ${answer.type}`)
      const document = parsed(answer, where)
      mustFit(openapiSchema, document, where)
      const operations = entries(at(document, 'paths')).flatMap(([at, item]) =>
        entries(item)
          .filter(([method]) => methods.has(method))
          .map(([method, operation]) => ({ name: `${method} ${at}`, operation })),
      )
      const ids = operations.map(({ operation }) => word(at(operation, 'operationId')))
      must(ids.length > 0 && new Set(ids).size === ids.length, 'an operationId is used twice')
      for (const { name, operation } of operations) {
        must(word(at(operation, 'operationId')) !== '', `${name} has no operationId`)
        const description = word(at(operation, 'description')) || word(at(operation, 'summary'))
        must(description !== '', `${name} is not described`)
        const refusals = entries(at(operation, 'responses')).filter(([status]) =>
          /^([45]|default)/.test(status),
        )
        must(refusals.length > 0, `${name} documents no errors`)
      }
      return `${operations.length} operations`
    },
  }
}

const skills: Check = {
  name: 'agent-skills index (0.2.0)',
  async run({ ask }) {
    const where = '/.well-known/agent-skills/index.json'
    const index = parsed(await ask(where), where)
    const id = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'
    must(at(index, '$schema') === id, 'names another schema')
    const all = list(at(index, 'skills'))
    must(all.length > 0, 'lists no skill')
    for (const skill of all) {
      const [name, url] = [word(at(skill, 'name')), word(at(skill, 'url'))]
      must(/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name), `${name} is not a valid skill name`)
      const file = await ask(new URL(url, `http://h${where}`).pathname)
      must(file.status === 200, `${url} returned ${file.status}`)
      must(file.type.startsWith('text/markdown'), `${url} is ${file.type}`)
      const hash = new Bun.CryptoHasher('sha256').update(file.bytes).digest('hex')
      must(at(skill, 'digest') === `sha256:${hash}`, `${url} has another digest`)
      must(file.text.startsWith(`---\nname: ${name}\ndescription: `), `${url} has no frontmatter`)
    }
    return `${all.length} skills, correct digests`
  },
}

const aiCatalog: Check = {
  name: 'ai-catalog and ard (AI Catalog 0.9)',
  async run(scan) {
    const where = '/.well-known/ai-catalog.json'
    const answer = await scan.ask(where)
    must(answer.type === 'application/ai-catalog+json', `${where} is ${answer.type}`)
    const catalog = parsed(answer, where)
    const other = await scan.ask('/.well-known/ard.json')
    mustFit('site/standards/ai-catalog.json', parsed(other, where), '/.well-known/ard.json')
    const alike = other.text.replace('"specVersion": "1.0"', '"specVersion": "0.9"')
    must(alike === answer.text, '/.well-known/ard.json differs')
    must(answer.headers.get('access-control-allow-origin') === '*', `${where} refuses browsers`)
    const all = list(at(catalog, 'entries'))
    // A server on a laptop publishes the same identifiers as the public server.
    const { hostname, host } = new URL(scan.site)
    const own = hostname === 'localhost' ? word(at(all[0], 'identifier')).split(':')[2] : host
    for (const entry of all) {
      const id = word(at(entry, 'identifier'))
      must(id.startsWith(`urn:air:${own}:`), `${id} is not of this host`)
      const queries = list(at(entry, 'representativeQueries')).length
      must(queries >= 2 && queries <= 5, `${id} has ${queries} representative queries`)
    }
    await allAnswer(
      scan,
      all.map(entry => word(at(entry, 'url'))),
    )
    return `${all.length} entries fit the schema`
  },
}

const changes: Check = {
  name: 'changes.json',
  async run(scan) {
    const all = list(at(parsed(await scan.ask('/changes.json'), '/changes.json'), 'changes'))
    const hashes = new Map(all.map(each => [word(at(each, 'page')), word(at(each, 'new_hash'))]))
    for (const { address, markdown } of await scan.pages()) {
      const hash = new Bun.CryptoHasher('sha256').update(markdown.bytes).digest('hex')
      must(hashes.get(address) === `sha256:${hash}`, `${address} has another hash`)
    }
    return `${all.length} pages, correct hashes`
  },
}

const rules: Check = {
  name: 'agents.md and auth.md',
  async run(scan) {
    for (const [where, heading] of [
      ['/auth.md', '# auth.md\n'],
      ['/agents.md', '# '],
    ] as const) {
      const { status, type, text } = await scan.ask(where)
      must(
        status === 200 && type.startsWith('text/markdown'),
        `${where} returned ${status} ${type}`,
      )
      must(text.startsWith(heading), `${where} has no heading`)
      const hrefs = [...text.matchAll(/\]\((https:[^)]+)\)/g)].map(([, href = '']) => href)
      await allAnswer(scan, hrefs)
    }
    const { text } = await scan.ask('/auth.md')
    for (const section of ['Discover', 'Pick a method', 'Register', 'Use', 'Errors']) {
      must(text.includes(`\n## ${section}\n`), `/auth.md has no section ${section}`)
    }
    return 'both respond, and so do their links'
  },
}

export const catalogChecks = [
  apiCatalog,
  openapi('/openapi.json'),
  openapi('/openapi/v1.json'),
  skills,
  aiCatalog,
  changes,
  rules,
]
