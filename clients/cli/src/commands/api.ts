// `svc api`: any API request, with the login, an idempotency key and retries.

import type { Family } from '../arguments.ts'
import type { Call } from '../api/client.ts'
import { flagsOf, several } from '../arguments.ts'
import { newKey } from '../environment.ts'
import { usage } from '../errors.ts'
import { bodyOf } from '../operations/body.ts'
import { confirmed } from '../operations/confirm.ts'
import { operations } from '../operations/operation.ts'
import type { OperationFlags } from '../operations/run.ts'

const methods = ['GET', 'POST', 'PATCH', 'DELETE'] as const

function queryOf(pairs: readonly string[]): Record<string, string> {
  const entries = pairs.map(pair => {
    const at = pair.indexOf('=')
    if (at < 1) throw usage(`-q ${pair}: use name=value`)
    return [pair.slice(0, at), pair.slice(at + 1)] as const
  })
  return Object.fromEntries(entries)
}

/** Returns the operation that this request performs, if it can't be undone. */
async function irreversible(method: string, path: string) {
  const fits = (template: string) =>
    new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`).test(path)
  const all = await operations()
  return all.find(one => one.isIrreversible && one.method === method && fits(one.path))
}

export const apiFamily: Family = (command, open) => {
  command
    .argument('<method>', methods.join(', '))
    .argument('<path>', 'such as /v1/cases')
    .option('-q <name=value>', 'add a query parameter; repeatable', several)
    .option('-d <key=value>', 'set a body field to a string; repeatable', several)
    .option('--data <json>', 'request body: JSON, @file.json, or @- for stdin')
    .addHelpText('after', '\nExample:\n  svc api GET /v1/cases -q limit=1\n')
    .action(async (given: string, typed: string) => {
      const context = open(command)
      const method = methods.find(one => one === given.toUpperCase())
      if (!method) throw usage(`the method must be one of ${methods.join(', ')}`)
      const [path = '', search = ''] = typed.split('?')
      if (!/^\/[^/]/.test(path)) throw usage('the path must start with /, such as /v1/cases')
      const flags = flagsOf(command) as OperationFlags & { q?: string[]; idempotencyKey?: string }
      const { body, given: hasBody } = await bodyOf(flags, [])
      const key = flags.idempotencyKey ?? newKey()
      const call: Call = {
        method,
        path,
        query: { ...Object.fromEntries(new URLSearchParams(search)), ...queryOf(flags.q ?? []) },
        ...(hasBody ? { body } : {}),
        ...(method === 'GET' ? {} : { idempotencyKey: key, commandKey: key }),
      }
      const operation = await irreversible(method, path)
      if (operation) await confirmed(context, operation, path)
      const answer = await context.api.call(call)
      await context.out.print(answer.body)
    })
}
