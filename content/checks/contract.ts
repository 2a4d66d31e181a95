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
  /** Names in snake_case that it uses for anything: fields, codes, states. */
  words: Set<string>
  /** What a tool may be called: what the servers list, and each operation in snake_case. */
  tools: Set<string>
  /** `bun run …` and `npm run …`; and programs that are installed with the house. */
  scripts: Set<string>
  programs: Set<string>
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

const textOf = (path: string) => Bun.file(new URL(`../../${path}`, import.meta.url)).text()

export async function readContract(): Promise<Contract> {
  const [text, listed, house] = await Promise.all(
    ['contract/generated/openapi.v1.json', 'contract/generated/tools.json', 'package.json'].map(
      textOf,
    ),
  )
  return { ...readDocument(text ?? ''), ...readHouse(listed ?? '', house ?? '', text ?? '') }
}

const snake = (id: string) => id.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** What is called by name besides the API: tools, scripts, programs. */
function readHouse(listed: string, house: string, text: string) {
  const servers: Record<string, string[]> = JSON.parse(listed)
  const { scripts = {}, bin = {} }: { scripts?: object; bin?: object } = JSON.parse(house)
  const operations = [...text.matchAll(/"operationId":\s*"(\w+)"/g)].map(hit => snake(hit[1] ?? ''))
  return {
    tools: new Set([
      ...Object.values(servers).flat(),
      ...operations.flatMap(name => [name, `test_${name}`]),
    ]),
    words: new Set(text.match(/\b[a-z]+(?:_[a-z0-9]+)+\b/g)),
    scripts: new Set(Object.keys(scripts)),
    programs: new Set(Object.keys(bin)),
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
  level?: Finding['level']
  isKnown: (word: string, contract: Contract) => boolean
  /** Where it may stand: anywhere, or only in code of this language. */
  only?: string
  what: string
  /** Where one reads what there is. */
  fix?: string
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
  {
    // What a table is about stands in its first cell: a code, a status, a field.
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
    what: 'no tool is called',
    fix: 'contract/generated/tools.json lists what there is',
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
    isKnown: (_, { programs }) => programs.has(config.slug),
    level: 'error',
    what: 'no program of ours is installed that takes',
    fix: 'say it with curl, until package.json has it as bin',
  },
]

const verbs = new WeakMap<ReadonlySet<string>, Set<string>>()

/** The words with which names of tools begin: what begins otherwise is no tool of anybody's. */
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
            fix: fix ?? 'contract/generated/openapi.v1.json lists what there is',
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
