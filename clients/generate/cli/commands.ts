// The command tree: one command for each operation that a key or an access token can call, with its
// help. Computed only from the contract's table.

import { callable, type CallableId, callableIds } from '#contract/callable.ts'
import { nounOf, sdkName } from '#contract/derive/names.ts'
import { requestExamples } from '#contract/examples.ts'
import { asksBefore, verbOf } from '#contract/tools/hints.ts'
import { ids as exampleIds } from '#contract/examples/resources.ts'
import { previewSchemaExamples } from '#contract/examples/preview.ts'
import { prefixes } from '#contract/ids.ts'
import { type CredentialOperation, pathNames, refusalsOf } from '#contract/operation.ts'
import { echoOf } from '../operations.ts'
import { exampleArguments } from './example-arguments.ts'
import { fieldsOf } from './fields.ts'
import type { Operation } from './row.ts'

export type Command = Operation & { readonly id: CallableId }

type Node = Readonly<Record<string, unknown>>

export const kebab = (name: string) =>
  name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`).replaceAll('_', '-')

const wordsOf = (id: CallableId) => sdkName(id, callable[id].path).split('.').map(kebab)

/** A list's item, or the response itself. */
function itemOf(returns: Node): { item: Node; isList: boolean } {
  if (returns['x-list'] !== true) return { item: returns, isList: false }
  const properties = returns['properties'] as Record<string, Node>
  return { item: (properties['data']?.['items'] ?? {}) as Node, isList: true }
}

const columnsMax = 5

/** Columns that have the same value in every row, or that mean nothing next to other columns. */
const dull: ReadonlySet<string> = new Set(['organization', 'mode', 'hold', 'include_resource'])

/** The ID, the status, two fields that tell rows apart, and the creation time. */
function columnsOf(item: Node): string[] {
  const fields = fieldsOf(item)
  const names = fields.map(({ name }) => name)
  const first = names.filter((name, at) => at === 0 || name === 'status' || name === 'type')
  const time = names.filter(name => ['created_at', 'starts_at'].includes(name)).slice(0, 1)
  const scalar = fields.filter(
    ({ name, type, form }) =>
      !first.includes(name) &&
      !dull.has(name) &&
      type !== 'object' &&
      type !== 'array' &&
      form !== 'date-time',
  )
  const more = scalar.map(({ name }) => name).slice(0, columnsMax - first.length - time.length)
  const chosen = [...first, ...more, ...time]
  return chosen.length > 0 ? chosen : names.slice(0, columnsMax)
}

const requestIds = previewSchemaExamples as Readonly<Record<string, { id?: string }>>
const idsOfExamples: Readonly<Record<string, string | undefined>> = {
  ...exampleIds,
  replay: requestIds['Replay']?.id,
}

function exampleOf(id: CallableId, row: CredentialOperation): string[] {
  const path = pathNames(row.path).map(name => idsOfExamples[nounOf(row.path, name)] ?? '')
  const [body] = Object.values(requestExamples(id))
  const required = fieldsOf(row.query ?? {}).filter(({ isRequired }) => isRequired)
  const query = required.flatMap(({ name }) => [`--${kebab(name)}`, queryExamples[name] ?? ''])
  return [...path, ...query, ...exampleArguments(body)]
}

/** Values for parameters that a list requires. */
const queryExamples: Readonly<Record<string, string>> = {
  metric: 'decision_time',
  state: 'CA',
  from: '2026-11-24',
  to: '2026-11-25',
}

function echoed(id: CallableId, row: CredentialOperation): { echoes?: string } {
  const echoes = echoOf(id, row)
  return echoes === null ? {} : { echoes }
}

function commandOf(id: CallableId): Command {
  const row = callable[id]
  const { item, isList } = itemOf(row.returns as Node)
  const { body } = row
  return {
    id,
    words: wordsOf(id),
    summary: row.summary,
    ...(row.description ? { description: row.description } : {}),
    method: row.method,
    path: row.path,
    ids: pathNames(row.path).map(name => ({ name, prefix: prefixes[nounOf(row.path, name)] })),
    query: fieldsOf(row.query ?? {}),
    ...(body && body !== 'none' ? { body: fieldsOf(body) } : {}),
    scope: row.scope,
    isSandboxOnly: row.mode === 'test',
    isIrreversible: row.method !== 'GET' && asksBefore(verbOf(id)),
    isPreview: row.path.startsWith('/preview/'),
    emits: [...(row.emits ?? [])],
    refuses: refusalsOf(row),
    ...(isList && row.query?.properties['starting_after'] !== undefined
      ? { cursor: fieldsOf(item)[0]?.name ?? 'id' }
      : {}),
    ...echoed(id, row),
    columns: columnsOf(item),
    example: exampleOf(id, row),
  }
}

export const commands = (): Command[] => callableIds.map(commandOf)
