import type { z } from 'astro/zod'
import { distance } from 'fastest-levenshtein'
import type { Entry } from '../entry.ts'
import { parseDay } from './days.ts'
import type { Finding } from '../finding.ts'
import { at, instead, keyAt, type Path, position } from './frontmatter.ts'

// Turns a schema parser's issues into findings that an editor understands.

type Issue = z.core.$ZodIssue

/** Keys whose value is a day, wherever they appear. */
const days = new Set(
  'accessed checked_on date effective on published reviewed_on supersedes sunset until updated version'.split(
    ' ',
  ),
)

const isUnder = (path: Path, other: Path) => other.every((key, index) => path[index] === key)
const isSame = (path: Path, other: Path) => path.length === other.length && isUnder(path, other)
const nameOf = (path: Path) => path.map(String).join('.')
const isDay = (path: Path) => days.has(String(path.findLast(key => typeof key === 'string')))

/** Reports each value that the schema refuses, once and at its position. */
export function checkSchema(entry: Entry, schema: z.ZodType): Finding[] {
  const broken = entry.isBroken ? entry.yaml.errors[0] : undefined
  if (broken !== undefined) {
    const where = position(entry, broken.pos[0])
    const message = broken.message.split('\n')[0] ?? 'the YAML must be valid'
    return [{ path: entry.path, ...where, rule: 'F-yaml', message, fix: 'quote the value' }]
  }
  const result = schema.safeParse(entry.data)
  return result.success ? [] : faults(entry, result.error.issues, keysOf(schema))
}

/** The schema's top-level keys. */
function keysOf(schema: z.ZodType): string[] {
  return 'shape' in schema && typeof schema.shape === 'object'
    ? Object.keys(schema.shape ?? {})
    : []
}

function faults(entry: Entry, issues: readonly Issue[], known: readonly string[]): Finding[] {
  const isMissing = ({ code, path }: Issue) =>
    code === 'invalid_type' && path.length > 0 && !entry.yaml.hasIn(path)
  const missing = issues.filter(isMissing)
  const unknown = issues.flatMap(issue =>
    issue.code !== 'unrecognized_keys'
      ? []
      : issue.keys.map(key => {
          const beside = missing.filter(each => isSame(each.path.slice(0, -1), issue.path))
          const names = beside.map(({ path }) => String(path.at(-1)))
          const others = issue.path.length === 0 ? known : []
          const free = others.filter(name => !entry.yaml.hasIn([...issue.path, name]))
          const meant = nearest(key, names) ?? nearest(key, free)
          return { parent: issue.path, key, meant }
        }),
  )
  const isMisspelt = ({ path }: Issue) =>
    unknown.some(({ parent, meant }) => meant !== undefined && isSame(path, [...parent, meant]))
  return [
    ...unknown.map(({ parent, key, meant }) => unknownKey(entry, parent, key, meant)),
    ...missing.filter(issue => !isMisspelt(issue)).map(({ path }) => missingKey(entry, path)),
    ...distinctFaults(issues.filter(issue => !isMissing(issue))).map(issue =>
      badValue(entry, issue),
    ),
  ]
}

/**
 * Keeps one error for each value. Drops an issue about several values, such as the order of two
 * dates, if the schema refused one of those values.
 */
function distinctFaults(issues: readonly Issue[]): Issue[] {
  const values = issues.filter(({ code }) => code !== 'unrecognized_keys')
  return values.filter((issue, index) => {
    const others = values.filter(other => !isSame(other.path, issue.path))
    if (values.findIndex(other => isSame(other.path, issue.path)) < index) return false
    const concerns = ({ path }: Issue) =>
      isUnder(path, issue.path) || (isDay(path) && isDay(issue.path) && path.length === 1)
    return issue.code !== 'custom' || !others.some(concerns)
  })
}

/** Returns the only name at most two edits away. */
function nearest(key: string, names: readonly string[]): string | undefined {
  const [one, other] = names
    .map(name => ({ name, edits: distance(key, name) }))
    .filter(({ edits }) => edits <= 2)
    .toSorted((a, b) => a.edits - b.edits)
  return one?.edits === other?.edits ? undefined : one?.name
}

function unknownKey(entry: Entry, parent: Path, key: string, meant: string | undefined): Finding {
  const where = keyAt(entry, parent, key)
  const common = { path: entry.path, ...where, rule: 'F-unknown-key' }
  const message = `${key} must be a key of this collection`
  if (meant === undefined) {
    return { ...common, message, fix: 'remove it (content/schema.ts lists the keys)' }
  }
  const edit = { ...where, length: key.length, text: meant }
  return { ...common, message, fix: `write ${meant}`, edit }
}

function missingKey(entry: Entry, path: Path): Finding {
  const name = nameOf(path)
  const where = at(entry, path)
  const message = `${name} must be present`
  return { path: entry.path, ...where, rule: 'F-missing-key', message, fix: `add ${name}` }
}

function badValue(entry: Entry, issue: Issue): Finding {
  const { path, code } = issue
  const common = { path: entry.path, ...at(entry, path) }
  const message = `${nameOf(path)}: ${issue.message}`
  if (isDay(path)) return badDay(entry, issue)
  if (code === 'too_small' || code === 'too_big') {
    return { ...common, rule: 'F-length', message, fix: 'keep it within the allowed length' }
  }
  return { ...common, rule: 'F-value', message, fix: 'write it as content/schema.ts describes' }
}

function badDay(entry: Entry, { path, code, message }: Issue): Finding {
  const written = entry.yaml.getIn(path)
  const day = code === 'custom' && isWritten(written) ? undefined : parseDay(String(written))
  const reason = code === 'invalid_type' ? 'a date must be written YYYY-MM-DD' : message
  return {
    path: entry.path,
    ...at(entry, path),
    rule: 'F-date',
    message: `${nameOf(path)}: ${reason}`,
    fix:
      day ??
      (isWritten(written)
        ? 'write a day that exists, in the right order'
        : 'write it as YYYY-MM-DD'),
    edit: day === undefined ? undefined : instead(entry, path, day),
  }
}

const isWritten = (value: unknown) => /^\d{4}-\d{2}-\d{2}$/.test(String(value))
