// Validates a tool's arguments against its input schema. Every fault has a pointer and, for an
// unknown name, a suggestion. A refusal never repeats a value from the caller.

import type { Compile, Validator } from 'typebox/compile'
import { escapePointer } from '#contract/faults.ts'
import {
  fieldMessage,
  formOfFormat,
  formOfPattern,
  formOfType,
} from '#contract/messages/field-messages.ts'
import type { ToolDefinition } from '#contract/mcp/tool.ts'
import { didYouMean } from '#contract/messages/did-you-mean.ts'
import { type Fault, isRecord, refusal, type ToolResult } from './result.ts'

type ReadArguments =
  | { readonly input: Record<string, unknown>; readonly refusal?: undefined }
  | { readonly input?: undefined; readonly refusal: ToolResult }

type Property = { readonly default?: unknown; readonly [keyword: string]: unknown }

const faultsMax = 20
const nameLengthMax = 64

/** Loads the compiler on the first tool call, because it has 230 modules. */
const compilerOf = (): { Compile: typeof Compile } => require('typebox/compile')

export function argumentReader(definition: ToolDefinition): (given: unknown) => ReadArguments {
  let known: Validator | undefined
  const properties = definition.input.properties as Record<string, Property>
  const names = Object.keys(properties)
  const defaults = Object.entries(properties).flatMap(([name, property]) =>
    property.default === undefined ? [] : [[name, property.default] as const],
  )
  return (sent = {}) => {
    const given = isRecord(sent) ? withoutNulls(sent, properties) : sent
    const compiled = (known ??= compilerOf().Compile(definition.input))
    if (isRecord(given) && compiled.Check(given) && isText(given)) {
      const input = { ...given }
      for (const [name, value] of defaults) input[name] ??= value
      return { input }
    }
    const errors = isRecord(given)
      ? faultsOf(given, compiled.Errors(given), names)
      : [
          {
            pointer: '#',
            code: 'wrong_type',
            message: fieldMessage.wrongType('arguments', 'a JSON object'),
          },
        ]
    return { refusal: invalid(definition, errors, names) }
  }
}

/** Removes nulls, which clients send for omitted arguments. No argument accepts null. */
const withoutNulls = (sent: Record<string, unknown>, properties: Record<string, Property>) =>
  Object.values(sent).includes(null)
    ? Object.fromEntries(
        Object.entries(sent).filter(([name, value]) => value !== null || !(name in properties)),
      )
    : sent

/** Rejects ill-formed Unicode and NUL, which databases and emails can't contain. */
const isText = (given: Record<string, unknown>): boolean =>
  Object.values(given).every(value => typeof value !== 'string' || isClean(value))
const isClean = (value: string) => value.isWellFormed() && !value.includes('\0')

function invalid(
  { name }: ToolDefinition,
  errors: readonly Fault[],
  names: readonly string[],
): ToolResult {
  const takes = names.length === 0 ? 'It takes no arguments.' : `It takes ${names.join(', ')}.`
  return refusal({
    code: 'invalid_request',
    detail: `The arguments of ${name} do not match its input schema.`,
    hint: `Fix each entry in errors and call ${name} again. ${takes}`,
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
  const first = errors.filter(
    ({ instancePath }, at) => errors.findIndex(each => each.instancePath === instancePath) === at,
  )
  const broken = first.flatMap(({ keyword, instancePath, params }) => {
    const name = instancePath.slice(1)
    return names.includes(name) ? [brokenRule(name, keyword, params)] : []
  })
  const illFormed = names.filter(name => typeof given[name] === 'string' && !isClean(given[name]))
  return [
    ...unknown.map(name => unknownName(name, names)),
    ...missing.map(name => fault(name, 'required', fieldMessage.required(name))),
    ...broken,
    ...illFormed.map(name => fault(name, 'invalid_format', fieldMessage.invalidText(name))),
  ].slice(0, faultsMax)
}

const fault = (name: string, code: string, message: string): Fault => ({
  pointer: `#/${escapePointer(name)}`,
  code,
  message,
})

function unknownName(name: string, names: readonly string[]): Fault {
  const short = name.length > nameLengthMax ? `${name.slice(0, nameLengthMax)}…` : name
  const meant = didYouMean(name, names)
  const question = meant === undefined ? '' : ` Did you mean ${meant}?`
  const subject = /^[\w.-]+…?$/.test(short) ? short : 'This name'
  return fault(
    short,
    'unknown_field',
    `${subject} must not be present: this tool has no such argument.${question}`,
  )
}

function brokenRule(name: string, keyword: string, params: object): Fault {
  const param = (key: string): unknown => Reflect.get(params, key)
  const limit = Number(param('limit'))
  switch (keyword) {
    case 'type':
      return fault(
        name,
        'wrong_type',
        fieldMessage.wrongType(name, formOfType(String(param('type')))),
      )
    case 'format':
      return fault(
        name,
        'invalid_format',
        fieldMessage.invalidFormat(name, formOfFormat(String(param('format')))),
      )
    case 'pattern':
      return fault(
        name,
        'invalid_format',
        fieldMessage.invalidFormat(name, formOfPattern(String(param('pattern')))),
      )
    case 'minLength':
      return fault(name, 'too_short', fieldMessage.tooShort(name, limit))
    case 'maxLength':
      return fault(name, 'too_long', fieldMessage.tooLong(name, limit))
    case 'minimum':
      return fault(name, 'too_small', fieldMessage.tooSmall(name, limit))
    case 'maximum':
      return fault(name, 'too_large', fieldMessage.tooLarge(name, limit))
    case 'const':
      return fault(name, 'invalid', `${name} must be ${String(param('allowedValue'))}.`)
    default:
      return fault(name, 'invalid', `${name} must match the input schema.`)
  }
}
