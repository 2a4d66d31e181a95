import { documents, toolNames } from '#contract/derive/documents.ts'
import {
  eventPath,
  operationPath,
  problemPath,
  referenceHome,
  schemaPath,
  scopesPath,
} from '../reference.ts'
import config from '../site.config.ts'
import { partsOf } from './blocks.ts'
import { at } from './frontmatter.ts'
import type { Entry } from '../entry.ts'
import type { Finding } from '../finding.ts'

/** The names in the published contract. */
export type Contract = {
  operations: Set<string>
  errors: Set<string>
  events: Set<string>
  schemas: Set<string>
  scopes: Set<string>
  /** `GET /v1/cases/{}`, with every name in braces left out. */
  routes: Set<string>
  fields: Set<string>
  /** All names in snake_case: fields, codes, statuses. */
  words: Set<string>
  /** Tool names: the names that the servers list, and each operation in snake_case. */
  tools: Set<string>
  /** The scripts in package.json, and its programs. */
  scripts: Set<string>
  /** The first words of the CLI's commands. */
  commands: Set<string>
}

/** The reference pages' URLs. */
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

const textOf = (path: string) => Bun.file(new URL(`../../${path}`, import.meta.url)).text()

export async function readContract(): Promise<Contract> {
  const [text = '', manifest = '', client = ''] = await Promise.all(
    ['contract/generated/openapi.v1.json', 'package.json', 'clients/cli/src/families.ts'].map(
      textOf,
    ),
  )
  const preview = documents['openapi.preview.json']()
  const [names, document, more] = [
    readNames({ manifest, client, text, preview }),
    readDocument(text),
    readDocument(preview),
  ]
  return {
    ...document,
    ...names,
    fields: document.fields.union(more.fields),
    routes: document.routes.union(more.routes),
    words: names.words.union(wordsIn(preview)),
  }
}

const wordsIn = (text: string) => new Set(text.match(/\b[a-z]+(?:_[a-z0-9]+)+\b/g))

const kebab = (name: string) => snake(name).replaceAll('_', '-')
const snake = (id: string) => id.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

type Sources = { manifest: string; client: string; text: string; preview: string }

/** Names outside the API: tools, scripts, programs. */
function readNames({ manifest, client, text, preview }: Sources) {
  const { scripts = {} }: { scripts?: object } = JSON.parse(manifest)
  const all = (pattern: RegExp, of: string) => [...of.matchAll(pattern)].map(hit => hit[1] ?? '')
  const families = all(/\bname: '([\w-]+)'/g, client)
  const resources = all(/"x-sdk-name":\s*"(\w+)/g, text + preview).map(name => kebab(name))
  const operations = all(/"operationId":\s*"(\w+)"/g, text).map(snake)
  return {
    tools: new Set([...toolNames(), ...operations.flatMap(name => [name, `test_${name}`])]),
    words: wordsIn(text),
    scripts: new Set(Object.keys(scripts)),
    commands: new Set(['help', ...families, ...resources]),
  }
}

function readDocument(text: string) {
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

/** Reports names in frontmatter and code that the contract doesn't have. */
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
  level?: Finding['level']
  isKnown: (word: string, contract: Contract) => boolean
  /** Where the name may appear: anywhere, or only in this language's code. */
  only?: string
  what: string
  /** Where to find the valid names. */
  fix?: string
}

const bare = (path: string) => path.replaceAll(/\{\w*\}/g, '{}')

/** An ID, a shell variable or a name in braces matches any name in braces. */
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
    pattern: /\b(?:GET|POST|PATCH|DELETE) \/(?:v1|preview)\/[\w/{}$…-]+/g,
    isKnown: (word, { routes }) => routes.has(routeOf(word)),
    what: 'the contract has no',
  },
  {
    rule: 'S-scope',
    pattern: /(?<=`)[a-z]+:(?:read|write|manage|subscribe)(?=`)/g,
    isKnown: (word, { scopes }) => scopes.has(word),
    what: 'the contract has no scope',
  },
  {
    rule: 'S-field',
    pattern: /(?<=^\s*(?:\{ ?)?")[a-z_]+(?=":)/gm,
    isKnown: (word, { fields }) => fields.has(word),
    only: 'json',
    what: 'the contract has no field',
  },
  {
    // A row's first cell names a code, a status or a field.
    rule: 'S-error',
    pattern: /(?<=^\| `)[a-z]+(?:_[a-z]+)+(?=`)/gm,
    isKnown: (word, { errors, words, tools }) =>
      errors.has(word) || words.has(word) || tools.has(word),
    level: 'error',
    what: 'the contract has no',
  },
  {
    rule: 'S-tool',
    pattern: /(?<=`)[a-z]+(?:_[a-z]+)+(?=[`(])/g,
    isKnown: (word, { tools, words }) =>
      tools.has(word) || words.has(word) || !verbsOf(tools).has(word.replace(/_.*/, '')),
    what: 'there is no tool',
    fix: 'contract/mcp/ and contract/tools/ list the names',
  },
  {
    rule: 'S-command',
    pattern:
      /(?:\b(?:bun|npm) run(?= [a-z])|(?<=^\s*(?:\$ )?|`)npm(?= (?:start|test)\b)) [\w:-]+/gm,
    isKnown: (word, { scripts }) => scripts.has(word.split(' ').at(-1) ?? ''),
    level: 'error',
    what: 'there is no',
    fix: 'package.json lists the scripts',
  },
  {
    rule: 'S-command',
    pattern: new RegExp(`(?<=^\\s*(?:\\$ )?|\`)${config.slug} [a-z][\\w-]*`, 'gm'),
    isKnown: (word, { commands }) => commands.has(word.split(' ').at(-1) ?? ''),
    level: 'error',
    what: 'there is no command',
    fix: '`svc map` lists the commands',
  },
]

const verbs = new WeakMap<ReadonlySet<string>, Set<string>>()

/** The first words of tool names. A name that starts with another word isn't a tool's. */
function verbsOf(tools: ReadonlySet<string>): Set<string> {
  const known = verbs.get(tools) ?? new Set([...tools].map(name => name.replace(/_.*/, '')))
  verbs.set(tools, known)
  return known
}

function checkWords(entry: Entry, contract: Contract): Finding[] {
  if (entry.path.endsWith('.json')) return []
  const parts = partsOf(entry)
  return parts.flatMap(part =>
    words
      .filter(({ only }) => only === undefined || only === part.language)
      .flatMap(({ rule, pattern, isKnown, what, fix, level = 'warning' }) =>
        [...part.text.matchAll(pattern)]
          .filter(([word]) => !isKnown(word, contract))
          .map(hit => ({
            path: entry.path,
            ...part.place(hit.index),
            rule,
            message: `${what} ${hit[0]}`,
            fix: fix ?? 'contract/generated/openapi.v1.json lists the names',
            level,
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
    const fix = 'contract/generated/openapi.v1.json lists the names'
    return [{ path: entry.path, ...at(entry, [key, index]), rule, message, fix }]
  })
}

function checkEvents(entry: Entry, known: Set<string>): Finding[] {
  const parts = partsOf(entry)
  return parts.flatMap(part =>
    [...part.text.matchAll(/\b[a-z_]+\.[a-z_]+\.v\d+\b/g)].flatMap(hit => {
      if (known.has(hit[0])) return []
      const message = `there is no event ${hit[0]}`
      const fix = 'contract/events.ts lists them'
      const where = part.place(hit.index)
      return [{ path: entry.path, ...where, rule: 'S-event', message, fix }]
    }),
  )
}
