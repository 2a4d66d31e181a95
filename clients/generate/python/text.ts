// Pieces of Python that every emitter writes. The formatter breaks long code lines, so only prose
// is wrapped here.

import type { TypeReference } from '../shapes.ts'

export const notice =
  '# Generated from the contract by clients/generate/generate.ts; do not edit.\n'

const keywords: ReadonlySet<string> = new Set([
  'from',
  'import',
  'class',
  'global',
  'in',
  'is',
  'pass',
])

/** Renames a contract name that is a Python keyword: `from` becomes `from_`. */
export const nameText = (name: string) => (keywords.has(name) ? `${name}_` : name)

/** A JSON value as Python code. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`
  if (typeof value === 'object') {
    const members = Object.entries(value).map(([name, one]) => `"${name}": ${valueText(one)}`)
    return `{${members.join(', ')}}`
  }
  return JSON.stringify(value)
}

export const wordsType = (values: readonly string[]) =>
  `Literal[${values.map(valueText).join(', ')}]`

/** Received types are exact. Sent types accept anything that serializes the same way. */
export function typeText(type: TypeReference, isInput: boolean): string {
  switch (type.kind) {
    case 'integer':
      return 'int'
    case 'boolean':
      return 'bool'
    case 'unknown':
      return 'Any'
    case 'constant':
      return { string: 'str', number: 'int', boolean: 'bool' }[typeof type.value as 'string']
    case 'string': {
      const time = { 'date-time': 'datetime', date: 'date' }[type.format ?? '']
      if (time === undefined) return 'str'
      return isInput ? `Union[${time}, str]` : time
    }
    case 'words': {
      const text = type.name ?? wordsType(type.values)
      return type.isOpen ? `Union[${text}, str]` : text
    }
    case 'named':
      return type.name
    case 'map':
      return `${isInput ? 'Mapping' : 'Dict'}[str, ${typeText(type.values, isInput)}]`
    case 'nullable':
      return `Optional[${typeText(type.of, isInput)}]`
    case 'array':
      return `${isInput ? 'Sequence' : 'List'}[${typeText(type.items, isInput)}]`
  }
}

const width = 96

/** Wraps a paragraph; lines after the first start with `hanging` more spaces. */
function wrapped(text: string, indent: number, hanging = 0): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && indent + last.length + word.length < width) {
      lines[lines.length - 1] = `${last} ${word}`
    } else lines.push(lines.length === 0 ? word : `${' '.repeat(hanging)}${word}`)
  }
  return lines
}

export type Section = { readonly title: string; readonly entries: readonly string[] }

/** A docstring, with sections such as `Args:` whose entries have hanging indents. */
export function docstring(
  paragraphs: readonly string[],
  indent: number,
  sections: readonly Section[] = [],
): string {
  const written = paragraphs.filter(Boolean).map(text => wrapped(text, indent + 3))
  const listed = sections
    .filter(({ entries }) => entries.length > 0)
    .map(({ title, entries }) => [
      `${title}:`,
      ...entries.flatMap(entry => wrapped(entry, indent + 4, 4).map(line => `    ${line}`)),
    ])
  const blocks = [...written, ...listed]
  const lines = blocks.flatMap((block, at) => [...(at > 0 ? [''] : []), ...block])
  const [only = ''] = lines
  const space = ' '.repeat(indent)
  const escaped = (line: string) => line.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"')
  if (lines.length === 1 && !only.endsWith('"')) return `${space}"""${escaped(only)}"""\n`
  const body = lines.map((line, at) => `${at === 0 || line === '' ? '' : space}${escaped(line)}\n`)
  return `${space}"""${body.join('')}${space}"""\n`
}

/** A field's description, with its default value. */
export function aboutField(field: { description?: string; default?: unknown }): string {
  const isSilent = field.default === undefined || field.default === null
  const text = field.description ?? ''
  return [
    ...(text ? [text] : []),
    ...(isSilent ? [] : [`Default: \`${valueText(field.default)}\`.`]),
  ].join(' ')
}

/** A module's exports, which leave out imported names. */
export const exportsText = (names: readonly string[]) =>
  `__all__ = [${names.map(valueText).join(', ')}]\n`

/** The imports for the names that a text uses. `modules` lists the names in each module. */
export function importsFor(
  text: string,
  modules: Readonly<Record<string, readonly string[]>>,
): string {
  const code = text.replaceAll(/"""[\s\S]*?"""|"[^"]*"/g, '')
  const used = new Set(code.match(/\b[A-Za-z_]\w*\b/g))
  return Object.entries(modules)
    .map(([module, names]) => [module, names.filter(name => used.has(name)).toSorted()] as const)
    .filter(([, names]) => names.length > 0)
    .map(([module, names]) => `from ${module} import ${names.join(', ')}\n`)
    .join('')
}

export const typing = [
  'Any',
  'Awaitable',
  'Dict',
  'List',
  'Literal',
  'Mapping',
  'Optional',
  'Sequence',
  'Type',
  'Union',
]
