// Pieces of TypeScript that every emitter writes.

import type { Field, TypeReference } from '../shapes.ts'

const quoted = (value: unknown) => JSON.stringify(value)

export const wordsType = (values: readonly string[]) => values.map(quoted).join(' | ')

export function typeText(type: TypeReference): string {
  switch (type.kind) {
    case 'integer':
      return 'number'
    case 'string':
    case 'boolean':
    case 'unknown':
      return type.kind
    case 'constant':
      return quoted(type.value)
    case 'words':
      return (type.name ?? wordsType(type.values)) + (type.isOpen ? ' | (string & {})' : '')
    case 'named':
      return type.name
    case 'map':
      return `Record<string, ${typeText(type.values)}>`
    case 'nullable':
      return `${typeText(type.of)} | null`
    case 'array': {
      const items = typeText(type.items)
      return /[ |]/.test(items) ? `(${items})[]` : `${items}[]`
    }
  }
}

/** A comment on one line, or on as many as it needs. */
export function comment(paragraphs: readonly string[], indent = ''): string {
  const lines = paragraphs.flatMap((text, at) => [
    ...(at > 0 ? [''] : []),
    ...wrapped(text.replaceAll('*/', '*\\/'), 96 - indent.length),
  ])
  const [only = ''] = lines
  if (lines.length === 0) return ''
  if (lines.length === 1) return `${indent}/** ${only} */\n`
  const body = lines.map(line => `${indent} *${line === '' ? '' : ` ${line}`}\n`).join('')
  return `${indent}/**\n${body}${indent} */\n`
}

/** Wraps prose; keeps code lines, which start with spaces or a fence. */
function wrapped(text: string, width: number): string[] {
  let isCode = false
  return text.split('\n').flatMap(line => {
    if (line.startsWith('```')) isCode = !isCode
    if (isCode || line.startsWith('```')) return [line]
    const lines: string[] = []
    for (const word of line.split(' ')) {
      const last = lines.at(-1)
      if (last !== undefined && last.length + word.length < width) {
        lines[lines.length - 1] = `${last} ${word}`
      } else lines.push(word)
    }
    return lines
  })
}

const formats: Readonly<Record<string, string>> = { date: '`YYYY-MM-DD`.' }

export function fieldText({ name, type, isRequired, description, ...rest }: Field): string {
  const about = [
    description ?? '',
    type.kind === 'string' ? (formats[type.format ?? ''] ?? '') : '',
    rest.default === undefined || rest.default === null
      ? ''
      : `Default: \`${JSON.stringify(rest.default)}\`.`,
  ].filter(Boolean)
  const doc = about.length > 0 ? comment([about.join(' ')], '  ') : ''
  return `${doc}  ${name}${isRequired ? '' : '?'}: ${typeText(type)}\n`
}
