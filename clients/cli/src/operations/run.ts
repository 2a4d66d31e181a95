// Runs an operation as typed, and prints the response.

import type { Call, Page } from '../api/client.ts'
import type { Context } from '../context.ts'
import { newKey } from '../environment.ts'
import { usage } from '../errors.ts'
import { bodyOf, type BodyFlags } from './body.ts'
import { confirmed } from './confirm.ts'
import { target } from './operation.ts'
import { withSuggestion } from './suggest.ts'
import type { Operation } from '../../../generate/cli/row.ts'

export type OperationFlags = BodyFlags & { readonly all?: boolean } & Readonly<
    Record<string, unknown>
  >

function checkIds({ ids, words }: Operation, given: readonly string[]): void {
  for (const [at, { name, prefix }] of ids.entries()) {
    // Other characters could change the path.
    if (new RegExp(`^${prefix}_[0-9A-Za-z]+$`).test(given[at] ?? '')) continue
    throw usage(
      `${name} must be an ID that starts with ${prefix}_`,
      `Run \`svc ${words.join(' ')} --help\`.`,
    )
  }
}

const camel = (name: string) =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

function queryOf({ query, words }: Operation, flags: OperationFlags): Record<string, string> {
  const entries = query.flatMap(({ name, isRequired }) => {
    const value = flags[camel(name)]
    if (value !== undefined) return [[name, String(value)] as const]
    if (!isRequired) return []
    throw usage(
      `--${name.replaceAll('_', '-')} is required`,
      `Run \`svc ${words.join(' ')} --help\`.`,
    )
  })
  return Object.fromEntries(entries)
}

export async function callOf(
  operation: Operation,
  ids: readonly string[],
  flags: OperationFlags,
  key: string = newKey(),
): Promise<Call> {
  checkIds(operation, ids)
  const { body, given } = await bodyOf(flags, operation.body ?? [])
  if (given && !operation.body) throw usage('this operation takes no request body')
  return {
    method: operation.method,
    ...target(operation, ids),
    query: queryOf(operation, flags),
    ...(operation.body ? { body } : {}),
    ...(operation.method === 'GET' ? {} : { idempotencyKey: key, commandKey: key }),
  }
}

/** Prints "None.", because an empty table would look like a command that did nothing. */
function sayNone({ out }: Context, rows: readonly unknown[]): void {
  if (out.format === 'table' && rows.length === 0) out.say('None.')
}

async function runList(context: Context, call: Call, operation: Operation, isAll: boolean) {
  const { api, out } = context
  const { cursor = 'id', columns } = operation
  // Line formats print each page as it arrives.
  const isStream = isAll && (out.format === 'jsonl' || out.format === 'ids')
  const query = isAll ? { limit: '100', ...call.query } : { ...call.query }
  const rows: unknown[] = []
  let hasMore = false
  for await (const page of api.pages({ ...call, query }, cursor)) {
    if (isStream) await out.list(page.data, columns)
    else rows.push(...page.data)
    hasMore = page.has_more
    if (!isAll) break
  }
  if (!isStream) await out.list(rows, columns)
  if (!isAll && hasMore) out.say(`${rows.length} shown. Add --all for the rest.`)
  else sayNone(context, rows)
}

export async function runOperation(
  context: Context,
  operation: Operation,
  ids: readonly string[],
  flags: OperationFlags,
): Promise<void> {
  const { api, out, flags: shared } = context
  // Loads the mode, which decides whether tables mask values.
  await context.mode()
  if (operation.isIrreversible) await confirmed(context, operation, ids.join(' '))
  const call = await callOf(operation, ids, flags, shared.idempotencyKey)
  const answer = await (
    operation.cursor === undefined
      ? api.call(call)
      : runList(context, call, operation, flags.all === true)
  ).catch((error: unknown) => {
    throw withSuggestion(error, operation, call)
  })
  if (answer === undefined) return
  if (answer.replayed) out.say('Replayed: this key was used before. This is the original response.')
  const list = answer.body as Partial<Page> | undefined
  if (Array.isArray(list?.data)) {
    await out.list(list.data, operation.columns)
    return sayNone(context, list.data)
  }
  await out.print(answer.body)
}
