// `svc trigger`, `svc events tail` and `svc events resend`.

import type { Command } from 'commander'
import { type Family, withId } from '../arguments.ts'
import type { Context } from '../context.ts'
import { now } from '../environment.ts'
import { usage } from '../errors.ts'
import { eventTypes } from '../contract.ts'
import { expanded, typesOf } from '../listen/event-types.ts'
import { moment } from '../moment.ts'
import { operation } from '../operations/operation.ts'
import { runOperation } from '../operations/run.ts'

type TriggerFlags = { readonly endpoint?: string; readonly list?: boolean }

async function trigger(context: Context, type: string | undefined, flags: TriggerFlags) {
  if (flags.list) return context.out.text(eventTypes.map(one => `${one}\n`).join(''))
  if (type === undefined) throw usage('choose an event type', 'Run `svc trigger --list`.')
  expanded([type])
  const d = [`type=${type}`, ...(flags.endpoint ? [`webhook_endpoint=${flags.endpoint}`] : [])]
  await runOperation(context, await operation('triggerWebhook'), [], { d })
}

export const triggerFamily: Family = (command: Command, open) => {
  command
    .argument('[type]', 'such as order.shipped.v1')
    .option('--endpoint <id>', 'deliver to this endpoint only')
    .option('--list', 'list every event type')
    .addHelpText('after', '\nExample:\n  svc trigger order.shipped.v1\n')
    .action((type: string | undefined) =>
      trigger(open(command), type, command.opts<TriggerFlags>()),
    )
}

type TailFlags = { readonly types?: string; readonly since?: string }

async function tail(context: Context, { types, since }: TailFlags): Promise<void> {
  const { api, out } = context
  await context.mode()
  const wanted = typesOf(types?.split(','))
  const { stream } = await import('../realtime/stream.ts')
  await stream({
    api,
    // Prints missed events in their place, so the output is complete.
    backfill: true,
    ...(since ? { since: moment(since, await api.now()) } : {}),
    onEvent: async ({ event }) => {
      if (!wanted(event.type)) return
      const time = new Date(event.created_at || now()).toTimeString().slice(0, 8)
      const { type, id, resource } = event
      await out.item(event, `${time}  ${type.padEnd(26)}  ${id}  ${resource.type} ${resource.id}`)
    },
    onSubscribed: () => out.say('Waiting for events. Press Ctrl-C to stop.'),
    onMissed: () => {},
    onLost: reason => out.say(`Connection lost: ${reason}. Reconnecting.`),
    onBack: () => out.say('Reconnected.'),
    onPolling: reason => out.say(`No realtime channel (${reason}). Polling every 2 s.`),
  })
}

export const eventsFamily: Family = (parent: Command, open) => {
  const tailing = parent
    .command('tail')
    .description('print events as they happen')
    .option('--types <types>', 'only these types, comma-separated; case.* for all case events')
    .option('--since <time>', 'start this far back: 10m, or a timestamp')
    .addHelpText('after', "\nExample:\n  svc events tail --types 'case.*' --format jsonl\n")
    .action(() => tail(open(tailing), tailing.opts<TailFlags>()))
  const resending = parent.command('resend').description('deliver an event again')
  withId(resending, 'id', 'evt')
    .option('--endpoint <id>', 'deliver to this endpoint only')
    .action(async (id: string) => {
      const { endpoint } = resending.opts<{ endpoint?: string }>()
      const d = endpoint ? [`webhook_endpoint=${endpoint}`] : []
      await runOperation(open(resending), await operation('redeliverEvent'), [id], { d })
    })
}
