// `svc logs`: the integration's request log, from the preview API.

import type { Command } from 'commander'
import { type Family, withId } from '../arguments.ts'
import { wait } from '../api/client.ts'
import type { Context } from '../context.ts'
import { now } from '../environment.ts'
import { CommandError, usage } from '../errors.ts'
import { moment } from '../moment.ts'
import { operation } from '../operations/operation.ts'
import { isForPrograms } from '../output/output.ts'
import { callOf } from '../operations/run.ts'

type Request = {
  readonly id: string
  readonly created_at: string
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly code: string | null
  readonly duration_ms: number
}

const path = '/preview/requests'
const pauseMs = 2000

const lineOf = ({ created_at, method, path, status, code, duration_ms, id }: Request) => {
  const time = new Date(created_at).toTimeString().slice(0, 8)
  const what = `${String(status)} ${code ?? ''}`.trim()
  return `${time}  ${method.padEnd(6)} ${path}  ${what}  ${duration_ms} ms  ${id}`
}

type Flags = { readonly since?: string; readonly status?: string; readonly limit?: number }

function limitIn(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw usage('--limit must be a whole number of at least 1')
}

const startOf = ({ since }: Flags, now: number) =>
  since === undefined ? new Date(now).toISOString() : moment(since, now)

/**
 * A request is logged when it ends, so an earlier ID may appear later. Each poll starts a minute
 * before the last response, and skips lines already shown.
 */
const lookBackMs = 60_000

async function tail(context: Context, flags: Flags): Promise<void> {
  const { api, out } = context
  const cursor = (await operation('listRequests')).cursor ?? 'id'
  const start = startOf(flags, await api.now())
  const seen = new Set<string>()
  let newest = start
  let shown = 0
  out.say('Waiting for requests. Press Ctrl-C to stop.')
  for (;;) {
    const from = new Date(Date.parse(newest) - lookBackMs).toISOString()
    const query = { limit: '100', since: from > start ? from : start }
    for await (const { data } of api.pages({ method: 'GET', path, query }, cursor)) {
      for (const one of data as Request[]) {
        if (seen.has(one.id)) continue
        seen.add(one.id)
        if (one.created_at > newest) newest = one.created_at
        // Skips this command's own requests, which would fill the output.
        if (one.operation === 'listRequests' || !matches(one, flags.status)) continue
        await out.item(one, lineOf(one))
        if (++shown === flags.limit) return
      }
    }
    await wait(pauseMs)
  }
}

/** Matches a class such as `4xx`, or an exact status such as `404`. */
const matches = ({ status }: Request, wanted: string | undefined) =>
  wanted === undefined ||
  (wanted.endsWith('xx') ? String(status).startsWith(wanted[0] ?? '') : String(status) === wanted)

/** The longest delay from a request's response to its log line. */
const loggedWithinMs = 15_000
const recentMs = 120_000
const digits = '0123456789abcdefghjkmnpqrstvwxyz'

/** The time in an ID, in milliseconds. */
const timeIn = (id: string) =>
  Array.from(id.slice('req_'.length, 'req_'.length + 10)).reduce(
    (sum, letter) => sum * 32 + digits.indexOf(letter),
    0,
  )

/**
 * Reads a request from the log. Waits for a recent request, because a request is logged only after
 * its response.
 */
export async function loggedRequest({ api, out }: Context, id: string): Promise<object> {
  const call = await callOf(await operation('getRequest'), [id], {})
  let end: number | undefined
  for (let asked = 0; ; asked++) {
    try {
      return (await api.call(call)).body as object
    } catch (error) {
      if (!(error instanceof CommandError) || error.exit !== 'notFound') throw error
      end ??= now() + ((await api.now()) - timeIn(id) < recentMs ? loggedWithinMs : 0)
      if (now() >= end) throw error
    }
    if (asked === 2 && !isForPrograms(out.format)) {
      out.say('Waiting for this request to appear in the log.')
    }
    await wait(300)
  }
}

export const logsFamily: Family = (parent: Command, open) => {
  const tailing = parent
    .command('tail')
    .description('print requests as they finish')
    .option('--since <time>', 'start this far back: 10m, or a timestamp')
    .option('--status <status>', 'only this status: 404, or 4xx')
    .option('--limit <number>', 'stop after this many requests', limitIn)
    .addHelpText('after', '\nExample:\n  svc logs tail --status 4xx\n')
    .action(() => tail(open(tailing), tailing.opts<Flags>()))
  const getting = parent.command('get').description('show what a request sent, got and caused')
  withId(getting, 'id', 'req').action(async (id: string) => {
    const context = open(getting)
    await context.mode()
    await context.out.print(await loggedRequest(context, id))
  })
}
