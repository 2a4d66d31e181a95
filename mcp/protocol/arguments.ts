// Validates a tool's arguments against its input schema. Each error has a pointer and, for an
// unknown name, the nearest known one. A refusal never repeats a value that was sent.

import { Compile } from 'typebox/compile'
import type { ToolDefinition } from '#contract/mcp/tool.ts'
import { nearest } from './nearest.ts'
import { type Fault, isRecord, refusal, type ToolResult } from './result.ts'

type ReadArguments =
  | { readonly input: Record<string, unknown>; readonly refusal?: undefined }
  | { readonly input?: undefined; readonly refusal: ToolResult }

type Property = { readonly default?: unknown; readonly [keyword: string]: unknown }

const faultsMax = 20
const nameLengthMax = 64

export function argumentReader(definition: ToolDefinition): (given: unknown) => ReadArguments {
  const compiled = Compile(definition.input)
  const properties = definition.input.properties as Record<string, Property>
  const names = Object.keys(properties)
  const defaults = Object.entries(properties).flatMap(([name, property]) =>
    property.default === undefined ? [] : [[name, property.default] as const],
  )
  return (given = {}) => {
    if (isRecord(given) && compiled.Check(given) && isText(given)) {
      const input = { ...given }
      for (const [name, value] of defaults) input[name] ??= value
      return { input }
    }
    const errors = isRecord(given)
      ? faultsOf(given, compiled.Errors(given), names)
      : [{ pointer: '#', code: 'wrong_type', message: 'arguments must be an object.' }]
    return { refusal: invalid(definition, errors, names) }
  }
}

/** A database and an email cannot hold ill-formed Unicode or NUL. */
const isText = (given: Record<string, unknown>): boolean =>
  Object.values(given).every(value => typeof value !== 'string' || isClean(value))
const isClean = (value: string) => value.isWellFormed() && !value.includes('\0')

function invalid(
  { name }: ToolDefinition,
  errors: readonly Fault[],
  names: readonly string[],
): ToolResult {
  const takes = names.length === 0 ? 'It takes none.' : `It takes ${names.join(', ')}.`
  return refusal({
    code: 'invalid_request',
    detail: `The arguments of ${name} do not fit its schema.`,
    hint: `Fix each entry of errors and call ${name} again. ${takes}`,
    errors,
  })
}

type SchemaError = {
  readonly keyword: string
  readonly instancePath: string
  readonly params: object
}

function faultsOf(
  given: Record<string, unknown>,
  errors: readonly SchemaError[],
  names: readonly string[],
): Fault[] {
  const unknown = Object.keys(given).filter(name => !names.includes(name))
  const missing = errors.flatMap(({ params }) =>
    'requiredProperties' in params ? (params.requiredProperties as string[]) : [],
  )
  const broken = errors.flatMap(({ keyword, instancePath, params }) => {
    const name = instancePath.slice(1)
    return names.includes(name) ? [brokenRule(name, keyword, params)] : []
  })
  const illFormed = names.filter(name => typeof given[name] === 'string' && !isClean(given[name]))
  return [
    ...unknown.map(name => unknownName(name, names)),
    ...missing.map(name => fault(name, 'required', `${name} is required.`)),
    ...broken,
    ...illFormed.map(name =>
      fault(name, 'invalid_format', `${name} must be well-formed text without NUL.`),
    ),
  ].slice(0, faultsMax)
}

const fault = (name: string, code: string, message: string): Fault => ({
  pointer: `#/${encodeURIComponent(name.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1'))}`,
  code,
  message,
})

function unknownName(name: string, names: readonly string[]): Fault {
  const short = name.length > nameLengthMax ? `${name.slice(0, nameLengthMax)}…` : name
  const meant = nearest(name, names)
  const question = meant === undefined ? '' : ` Did you mean ${meant}?`
  const shown = /^[\w.-]+…?$/.test(short) ? short : 'This argument'
  return fault(
    short,
    'unknown_field',
    `${shown} must not be sent: this tool has no such argument.${question}`,
  )
}

function brokenRule(name: string, keyword: string, params: object): Fault {
  const limit = 'limit' in params ? String(params.limit) : ''
  const comparison = 'comparison' in params ? String(params.comparison) : ''
  const rules: Record<string, [code: string, rule: string]> = {
    type: ['wrong_type', `must be of type ${'type' in params ? String(params.type) : 'another'}`],
    format: [
      'invalid_format',
      `must be a valid ${'format' in params ? String(params.format) : 'text'}`,
    ],
    pattern: ['invalid_format', 'must match the pattern of the schema'],
    minLength: ['too_short', `must have at least ${limit} characters`],
    maxLength: ['too_long', `must have at most ${limit} characters`],
    minimum: ['too_small', `must be ${comparison} ${limit}`],
    maximum: ['too_large', `must be ${comparison} ${limit}`],
  }
  const [code, rule] = rules[keyword] ?? ['invalid', 'must fit the schema']
  return fault(name, code, `${name} ${rule}.`)
}
