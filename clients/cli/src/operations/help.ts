// An operation's help: its body fields, an example that runs, its scope and its events.

import { wrapped } from '../output/wrapped.ts'
import { kebab } from './operation.ts'
import type { Field, Operation } from '../../../generate/cli/row.ts'

/** Quotes a word that a shell would change. */
export const quoted = (word: string) =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

const form: Readonly<Record<string, string>> = {
  'date-time': 'a timestamp',
  date: 'YYYY-MM-DD',
  email: 'an email address',
  uri: 'a URL',
}

const words: Readonly<Partial<Record<Field['type'], string>>> = {
  integer: 'whole number',
  boolean: 'true | false',
  object: 'object',
}

function typeOf(field: Field): string {
  const { type, values, items } = field
  if (values && values.length <= 12) return values.join(' | ')
  if (values) return 'one of a list'
  if (type === 'array') return items ? `list of ${typeOf(items)}` : 'list'
  if (type === 'string') {
    if (field.form?.endsWith('_')) return `${field.form}…`
    return form[field.form ?? ''] ?? 'string'
  }
  return words[type] ?? type
}

/** The fields of an object and of its list items, each with its `-d` key. */
function* rows(fields: readonly Field[], at = ''): Generator<[string, string]> {
  for (const field of fields) {
    const path = `${at}${field.name}`
    const notes = [
      typeOf(field),
      ...(field.isRequired ? ['required'] : []),
      ...(field.isNullable ? ['or null'] : []),
      ...(field.default === undefined ? [] : [`default ${JSON.stringify(field.default)}`]),
    ]
    const text = [notes.join(', '), ...(field.description ? [field.description] : [])]
    yield [path, text.join('. ')]
    if (field.fields) yield* rows(field.fields, `${path}.`)
    if (field.items?.fields) yield* rows(field.items.fields, `${path}[0].`)
  }
}

const section = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : ['', `${title}:`, ...lines]

/** An example's words and arguments, as typed. */
export const exampleLine = ({ words, example }: Operation) =>
  ['svc', ...words, ...example.map(quoted)].join(' ')

/** Prints one argument per line if one line would be too long. */
function exampleLines(operation: Operation): string[] {
  const whole = exampleLine(operation)
  if (whole.length <= 76) return [`  ${whole}`]
  const parts: string[] = []
  for (const word of operation.example) {
    const last = parts.at(-1)
    if (last === '-d' || last?.startsWith('--')) parts[parts.length - 1] = `${last} ${quoted(word)}`
    else parts.push(word.startsWith('-') ? word : quoted(word))
  }
  return [`  svc ${operation.words.join(' ')}`, ...parts.map(part => `    ${part}`)].map(
    (line, at) => (at < parts.length ? `${line} \\` : line),
  )
}

export function operationHelp(operation: Operation, columns: number): string {
  const { body, emits, scope, isSandboxOnly, isIrreversible, isPreview, method, path } = operation
  const fields = [...rows(body ?? [])].flatMap(([name, text]) => [
    `  ${name}`,
    wrapped(text, columns, '      '),
  ])
  const notes = [
    `  ${method} ${path}`,
    `  Scope: ${scope}${isSandboxOnly ? '. Test mode only.' : ''}`,
    ...(isIrreversible && !isSandboxOnly
      ? ['  Asks for confirmation in live mode; --yes skips it.']
      : []),
    ...(isPreview ? ['  Preview: may change with 30 days of notice.'] : []),
    ...(emits.length > 8
      ? ['  Events: any type; see `svc trigger --list`.']
      : emits.length > 0
        ? [wrapped(`Events: ${emits.join(', ')}`, columns, '  ')]
        : []),
  ]
  return [
    ...(operation.description ? ['', wrapped(operation.description, columns, '')] : []),
    ...section('Body, as -d key=value or --data', fields),
    ...section('Example', exampleLines(operation)),
    ...section('Operation', notes),
    '',
  ].join('\n')
}

/** A query parameter as an option. */
export function optionOf(field: Field): [flags: string, description: string] {
  const notes = `(${typeOf(field)}${field.isRequired ? ', required' : ''})`
  const text = field.description?.replace(/\.$/, '')
  return [`--${kebab(field.name)} <value>`, text ? `${text} ${notes}` : notes.slice(1, -1)]
}
