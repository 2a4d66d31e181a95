import {
  eventPath,
  operationPath,
  problemPath,
  referenceHome,
  schemaPath,
  scopesPath,
} from '../reference.ts'
import { partsOf } from './blocks.ts'
import { at } from './frontmatter.ts'
import type { Entry } from '../read.ts'
import type { Finding } from './finding.ts'

/** What the published contract names. It is read as the file it is, as any reader of it would. */
export type Contract = {
  operations: Set<string>
  errors: Set<string>
  events: Set<string>
  schemas: Set<string>
  scopes: Set<string>
  /** `GET /v1/cases/{}`, with every name in braces left out. */
  routes: Set<string>
  fields: Set<string>
}

/** The addresses of the pages that are made from it. */
export const referenceOf = ({ operations, errors, events, schemas }: Contract): string[] => [
  referenceHome,
  scopesPath,
  ...[...operations].map(operationPath),
  ...[...schemas].map(schemaPath),
  ...[...events].map(eventPath),
  ...[...errors].map(problemPath),
]

type Property = { 'x-open-enum'?: string[] }
type Document = {
  paths: Record<string, Record<string, unknown>>
  components: { schemas: Record<string, { properties: Record<string, Property> }> }
}

const fieldsIn = (text: string) => [...text.matchAll(/^\s*"(\w+)":/gm)].map(hit => hit[1] ?? '')

export async function readContract(): Promise<Contract> {
  const source = new URL('../../contract/generated/openapi.v1.json', import.meta.url)
  const text = await Bun.file(source).text()
  const all = (pattern: RegExp) => new Set([...text.matchAll(pattern)].map(hit => hit[1] ?? ''))
  const document: Document = JSON.parse(text)
  const { schemas } = document.components
  return {
    operations: all(/"operationId":\s*"(\w+)"/g),
    events: all(/"(\w+\.\w+\.v\d+)"/g),
    errors: new Set(schemas['Problem']?.properties['code']?.['x-open-enum'] ?? []),
    schemas: new Set(Object.keys(schemas)),
    scopes: all(/"([a-z]+:(?:read|write|manage|subscribe))"/g),
    routes: new Set(
      Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.keys(methods).map(method => `${method.toUpperCase()} ${bare(path)}`),
      ),
    ),
    fields: new Set(fieldsIn(text)),
  }
}

/** Names in frontmatter and in code that the contract does not know. */
export function checkNames(entry: Entry, contract: Contract): Finding[] {
  return [
    ...checkListed(entry, 'operations', contract.operations),
    ...checkListed(entry, 'errors', contract.errors),
    ...checkEvents(entry, contract.events),
    ...checkWords(entry, contract),
  ]
}

type Word = {
  rule: string
  pattern: RegExp
  isKnown: (word: string, contract: Contract) => boolean
  /** Where it may stand: anywhere, or only in code of this language. */
  only?: string
  what: string
}

const bare = (path: string) => path.replaceAll(/\{\w*\}/g, '{}')

/** An id, a shell's variable or a name in braces stands for any name in braces. */
const routeOf = (written: string) =>
  bare(
    written
      .replaceAll(/\?.*$/g, '')
      .replaceAll(/\/(\$\{?\w+\}?|[a-z]+_(?:[0-9a-z]{26}|…)|…)/g, '/{}')
      .replaceAll(/(?<=.)\/$/g, ''),
  )

const words: Word[] = [
  {
    rule: 'S-route',
    pattern: /\b(?:GET|POST|PATCH|DELETE) \/v1\/[\w/{}$…-]+/g,
    isKnown: (word, { routes }) => routes.has(routeOf(word)),
    what: 'the contract has no',
  },
  {
    rule: 'S-scope',
    pattern: /(?<=`)[a-z]+:(?:read|write|manage|subscribe)(?=`)/g,
    isKnown: (word, { scopes }) => scopes.has(word),
    what: 'no scope is called',
  },
  {
    rule: 'S-field',
    pattern: /(?<=^\s*(?:\{ ?)?")[a-z_]+(?=":)/gm,
    isKnown: (word, { fields }) => fields.has(word),
    only: 'json',
    what: 'no field of the contract is called',
  },
]

function checkWords(entry: Entry, contract: Contract): Finding[] {
  if (entry.path.endsWith('.json')) return []
  const parts = partsOf(entry)
  return parts.flatMap(part =>
    words
      .filter(({ only }) => only === undefined || only === part.language)
      .flatMap(({ rule, pattern, isKnown, what }) =>
        [...part.text.matchAll(pattern)]
          .filter(([word]) => !isKnown(word, contract))
          .map(hit => ({
            path: entry.path,
            ...part.place(hit.index),
            rule,
            message: `${what} ${hit[0]}`,
            fix: 'contract/generated/openapi.v1.json lists what there is',
            level: 'warning' as const,
          })),
      ),
  )
}

function checkListed(entry: Entry, key: 'operations' | 'errors', known: Set<string>): Finding[] {
  const data: Record<string, unknown> = { ...(entry.data as object) }
  const names: unknown[] = Array.isArray(data[key]) ? data[key] : []
  return names.flatMap((name, index) => {
    if (known.size === 0 || known.has(String(name))) return []
    const rule = key === 'operations' ? 'S-operation' : 'S-error'
    const message = `the contract has no ${String(name)}`
    const fix = 'contract/generated/openapi.v1.json lists what there is'
    return [{ path: entry.path, ...at(entry, [key, index]), rule, message, fix }]
  })
}

function checkEvents(entry: Entry, known: Set<string>): Finding[] {
  const parts = partsOf(entry)
  return parts.flatMap(part =>
    [...part.text.matchAll(/\b[a-z_]+\.[a-z_]+\.v\d+\b/g)].flatMap(hit => {
      if (known.has(hit[0])) return []
      const message = `no event is called ${hit[0]}`
      const fix = 'contract/events.ts lists them'
      const where = part.place(hit.index)
      return [{ path: entry.path, ...where, rule: 'S-event', message, fix }]
    }),
  )
}
