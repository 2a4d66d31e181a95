// The contract data used by the in-process sandbox and the `testing` fixtures.

import {
  caseTransitions,
  orderTransitions,
  type Transition,
  visitTransitions,
} from '#contract/states.ts'
import { queuedCase } from '#contract/examples/resources.ts'
import { schemaExamples } from '#contract/examples/schemas.ts'
import { hintOf, type ProblemCodeOf, problems } from '#contract/problems.ts'
import type { Model } from '../model.ts'
import { literal } from './docs.ts'
import { importsOf } from './schemas.ts'

/** An example of each resource type, without fields that only one operation returns. */
function examplesText(model: Model): string {
  const names = Object.keys(schemaExamples).filter(
    name => model.homes.has(name) && !['ExportBundle', 'FieldError'].includes(name),
  )
  const values = names.map(name => `  ${name}: ${literal(schemaExamples[name])},\n`).join('')
  const types = names.map(name => `  ${name}: ${name}\n`).join('')
  return [
    importsOf(model, names, null, './schemas'),
    `\n/** One of each, with synthetic people. */\nexport type Examples = {\n${types}}\n\n`,
    `export const examples: Examples = {\n${values}}\n\n`,
    '/** A case no clinician has decided yet. */\n',
    `export const queuedCase: Case = ${literal(queuedCase)}\n`,
  ].join('')
}

const routesText = (model: Model): string => {
  const rows = model.operations.map(({ id, method, path, status, parameters }) => {
    const fields = model.types.find(({ name }) => name === parameters?.type)?.fields ?? []
    const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name)
    const known = fields.map(({ name }) => name)
    return `  { id: '${id}', method: '${method}', path: '${path}', status: ${status}, required: ${literal(required)}, known: ${literal(known)} },\n`
  })
  return (
    '\n/** Every operation, with its parameter names. */\n' +
    'export type Route = {\n  readonly id: string\n  readonly method: string\n' +
    '  readonly path: string\n  readonly status: number\n' +
    '  readonly required: readonly string[]\n  readonly known: readonly string[]\n}\n\n' +
    `export const routes: readonly Route[] = [\n${rows.join('')}]\n`
  )
}

/** The codes that the in-process sandbox returns. */
const codes = [
  'invalid_request',
  'idempotency_key_required',
  'not_found',
  'invalid_transition',
  'slot_unavailable',
  'join_not_open',
  'endpoint_limit_reached',
  'consent_required',
  'idempotency_key_reused',
] as const satisfies ProblemCodeOf<'v1'>[]

function problemsText(): string {
  const rows = codes.map(code => {
    const { status, title, detail } = problems[code]
    const hints = [false, true].map(isWrite => hintOf(code, 'v1', isWrite))
    return `  ${code}: ${literal({ status, title, detail: detail ?? title, hint: hints[0], writeHint: hints[1] })},\n`
  })
  return `\n/** By code. */\nexport const problems = {\n${rows.join('')}} as const\n`
}

/** The states that allow an operation, by its ID. */
function transitionsText(): string {
  const all = [caseTransitions, orderTransitions, visitTransitions].flatMap(each =>
    Object.values<Transition<string>>(each),
  )
  const rows = all.map(one => {
    return `  ${one.by}: ${literal({ from: one.from, says: one.says ?? '' })},\n`
  })
  return (
    '\n/** By operation: the statuses from which it is allowed. */\n' +
    'export const transitions: Readonly<Record<string, { from: readonly string[]; says: string }>> = ' +
    `{\n${rows.join('')}}\n`
  )
}

export const sandboxFile = (model: Model): string =>
  [
    examplesText(model),
    `\n/** The API’s limits. */\nexport const limits = ${literal(model.sandbox)} as const\n`,
    routesText(model),
    problemsText(),
    transitionsText(),
  ].join('')

export const timeZonesFile = (model: Model): string =>
  [
    "import type { State } from './schemas/visits.ts'\n\n",
    '/** IANA time zones by state. If a state has two, the one where most of its people live. */\n',
    `export const timeZones: Readonly<Record<State, string>> = ${literal(model.timeZones)}\n`,
  ].join('')
