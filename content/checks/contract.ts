import { eventPath, operationPath, problemPath, referenceHome, schemaPath } from '../reference.ts'
import { blocks } from './blocks.ts'
import { at } from './frontmatter.ts'
import { isData } from './links.ts'
import type { Entry } from '../read.ts'
import type { Finding } from './finding.ts'

/** What the published contract names. It is read as the file it is, as any reader of it would. */
export type Contract = {
  operations: Set<string>
  errors: Set<string>
  events: Set<string>
  schemas: Set<string>
}

/** The addresses of the pages that are made from it. */
export const referenceOf = ({ operations, errors, events, schemas }: Contract): string[] => [
  referenceHome,
  ...[...operations].map(operationPath),
  ...[...schemas].map(schemaPath),
  ...[...events].map(eventPath),
  ...[...errors].map(problemPath),
]

type Property = { 'x-open-enum'?: string[] }
type Document = {
  components: { schemas: Record<string, { properties: Record<string, Property> }> }
}

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
  }
}

/** Names in frontmatter and in code that the contract does not know. */
export function checkNames(entry: Entry, contract: Contract): Finding[] {
  return [
    ...checkListed(entry, 'operations', contract.operations),
    ...checkListed(entry, 'errors', contract.errors),
    ...checkEvents(entry, contract.events),
  ]
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
  const parts = isData(entry) ? blocks(entry.source, 1) : blocks(entry.body, entry.bodyStart)
  return parts.flatMap(part =>
    [...part.text.matchAll(/\b[a-z_]+\.[a-z_]+\.v\d+\b/g)].flatMap(hit => {
      if (known.has(hit[0])) return []
      const message = `no event is called ${hit[0]}`
      const fix = 'contract/events.ts lists them'
      const where = part.place(hit.index)
      return [
        { path: entry.path, ...where, rule: 'S-event', message, fix, level: 'warning' as const },
      ]
    }),
  )
}
