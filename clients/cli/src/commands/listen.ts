// `svc listen`: posts a credential's events to a program on this machine, as webhooks would.

import type { Command } from 'commander'
import { isLoopback } from '../../../typescript/src/runtime.ts'
import type { Family } from '../arguments.ts'
import type { Context } from '../context.ts'
import { usage } from '../errors.ts'
import { openForwarder } from '../listen/forward.ts'
import { secretFor, secretIn } from '../listen/secret.ts'
import { typesOf } from '../listen/event-types.ts'
import { moment } from '../moment.ts'
import type { Published } from '../realtime/socket.ts'
import type { How } from '../realtime/stream.ts'

type Flags = {
  readonly forwardTo?: string
  readonly events?: string
  readonly backfill?: boolean
  readonly since?: string
  readonly secret?: string
  readonly printSecret?: boolean
  readonly includeResource?: boolean
  readonly concurrency?: string
  readonly live?: boolean
  readonly allowRemote?: boolean
}

/** Also accepts an address without a scheme, such as `localhost:4000/hooks`. */
function targetOf(text: string | undefined, allowRemote: boolean): URL | undefined {
  if (text === undefined) return undefined
  let url: URL
  try {
    url = new URL(/^https?:\/\//.test(text) ? text : `http://${text}`)
  } catch {
    throw usage('--forward-to must be a URL such as http://localhost:4000/webhooks')
  }
  if (isLoopback(url.hostname) || allowRemote) return url
  throw usage(
    '--forward-to must be a URL on this machine',
    'To forward to another machine, add --allow-remote.',
  )
}

async function checkMode(context: Context, flags: Flags, target: URL | undefined): Promise<void> {
  if ((await context.mode()) !== 'live') return
  if (!flags.live) {
    throw usage(
      'a live credential prints IDs of real patients to this terminal',
      'Use a test key, or add --live to continue.',
    )
  }
  if (target && !isLoopback(target.hostname)) {
    throw usage('in live mode, --forward-to must be a URL on this machine')
  }
  context.out.warn('This terminal shows IDs of real patients.')
}

function concurrencyOf(text: string | undefined): number {
  const number = Number(text ?? 1)
  if (Number.isInteger(number) && number >= 1 && number <= 16) return number
  throw usage('--concurrency must be a whole number from 1 to 16')
}

async function listen(context: Context, flags: Flags): Promise<void> {
  const { settings, out, api } = context
  const file =
    flags.secret ?? (settings.listen.secretFile ? `@${settings.listen.secretFile}` : undefined)
  if (flags.printSecret) return out.text(`${secretIn(file)}\n`)
  const target = targetOf(flags.forwardTo ?? settings.listen.forwardTo, flags.allowRemote === true)
  await checkMode(context, flags, target)
  const wanted = typesOf(flags.events?.split(',') ?? settings.listen.events)
  const secret = secretFor(file)
  const forwarder = openForwarder(context, {
    ...(target ? { target } : {}),
    secret,
    includeResource: flags.includeResource === true,
    concurrency: concurrencyOf(flags.concurrency),
  })
  let skipped = 0
  const { body } = await api.call({ method: 'GET', path: '/v1/organization' })
  const { name, mode } = body as { name: string; mode: string }
  const { stream } = await import('../realtime/stream.ts')
  const onEvent = async (published: Published, how: How) => {
    if (!wanted(published.event.type)) return void skipped++
    await forwarder.forward(published, how)
  }
  // Prints the totals on exit, which is how Ctrl-C ends the command.
  process.once('exit', () => forwarder.summary(skipped))
  await stream({
    api,
    backfill: flags.backfill === true,
    ...(flags.since ? { since: moment(flags.since, await api.now()) } : {}),
    onEvent,
    onSubscribed: () => {
      out.say(`Listening to ${name} (${mode} mode). Signing secret: ${secret}`)
      if (target) out.say(`Forwarding to ${target.href}`)
    },
    onMissed: (count, first) => {
      const what = `${count} ${count === 1 ? 'event' : 'events'}`
      if (flags.backfill) out.say(`Delivered ${what} missed while disconnected.`)
      else {
        // `--since` is exclusive.
        const since = new Date(Date.parse(first.created_at) - 1).toISOString()
        out.say(`Missed ${what} while disconnected.`)
        out.say(`  To see them: svc events list --since ${since} --all. To get them: --backfill`)
      }
    },
    onLost: reason => out.say(`Connection lost: ${reason}. Reconnecting.`),
    onBack: () => out.say('Reconnected.'),
    onPolling: reason => out.say(`No realtime channel (${reason}). Polling every 2 s.`),
  })
}

export const listenFamily: Family = (command: Command, open) => {
  command
    .option('-f, --forward-to <address>', 'post each event here, such as localhost:4000/webhooks')
    .option('--events <types>', 'only these types, comma-separated; case.* for all case events')
    .option('--backfill', 'also forward events missed while disconnected')
    .option('--since <time>', 'start this far back: 10m, or a timestamp')
    .option('--secret <@file>', 'keep the signing secret in this file across runs')
    .option('--print-secret', 'print the secret from --secret and exit')
    .option('--include-resource', 'add the resource to each event as data')
    .option('--concurrency <number>', 'parallel posts (1 keeps the order)')
    .option('--live', 'allow a live credential')
    .option('--allow-remote', 'allow a URL on another machine')
    .addHelpText(
      'after',
      `
Posts each event once, in order, signed with the printed secret. Nothing is retried or stored;
for that, create a webhook endpoint.

Example:
  svc listen --forward-to localhost:4000/webhooks --events 'case.*,order.*'
`,
    )
    .action(() => listen(open(command), command.opts<Flags>()))
}
