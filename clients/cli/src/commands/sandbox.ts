// `svc sandbox`: simulated steps by the clinician, the pharmacy and the clock.

import type { Command } from 'commander'
import { type Family, type OpenContext, withId } from '../arguments.ts'
import { wait } from '../api/client.ts'
import { type Context, milliseconds } from '../context.ts'
import { newKey } from '../environment.ts'
import { CommandError, usage } from '../errors.ts'
import { duration } from '../moment.ts'
import { operation } from '../operations/operation.ts'
import { runOperation } from '../operations/run.ts'
import type { LoopFlags } from '../sandbox/loop.ts'

type Options = Readonly<Record<string, string | undefined>>

/** A step on one resource: the words to type, the operation, and its body. */
type Move = {
  readonly name: string
  readonly about: string
  readonly operation: string
  readonly id: 'case' | 'visit'
  readonly options?: readonly (readonly [flags: string, about: string])[]
  readonly body?: (options: Options) => unknown
}

const prefixes = { case: 'case', visit: 'vis' } as const

const reason = ['--reason <text>', 'reason to give'] as const

const moves: readonly Move[] = [
  {
    name: 'approve',
    about: 'approve a case as the clinician',
    operation: 'decideCase',
    id: 'case',
    body: () => ({ decision: 'approve' }),
  },
  {
    name: 'decline',
    about: 'decline a case as the clinician',
    operation: 'decideCase',
    id: 'case',
    options: [reason],
    body: ({ reason = "This medication isn't safe with your history." }) => ({
      decision: 'decline',
      reason,
    }),
  },
  {
    name: 'ask',
    about: 'ask a question as the clinician',
    operation: 'decideCase',
    id: 'case',
    options: [
      ['--question <text>', 'question to ask'],
      ['--target <who>', 'who to ask: patient or integration (patient)'],
    ],
    body: ({ question = 'Have you ever had pancreatitis?', target = 'patient' }) => ({
      decision: 'needs_info',
      target,
      question,
    }),
  },
  {
    name: 'message',
    about: 'message the patient as the clinician',
    operation: 'sendClinicianMessage',
    id: 'case',
    options: [['--body <text>', 'message text']],
    body: ({ body = 'Yes, the evening is fine.' }) => ({ body }),
  },
  {
    name: 'ship',
    about: "ship a case's orders",
    operation: 'shipCase',
    id: 'case',
    options: [
      ['--carrier <name>', 'carrier, such as ups'],
      ['--number <text>', 'tracking number'],
    ],
    body: ({ carrier, number }) =>
      carrier === undefined && number === undefined ? {} : { tracking: { carrier, number } },
  },
  { name: 'deliver', about: "deliver a case's orders", operation: 'deliverCase', id: 'case' },
  {
    name: 'block',
    about: "block a case's orders",
    operation: 'blockCase',
    id: 'case',
    options: [reason],
    body: ({ reason = 'Out of stock until Thursday.' }) => ({ reason }),
  },
  { name: 'fail', about: "fail a case's orders permanently", operation: 'failCase', id: 'case' },
]

const visitMoves: readonly Move[] = [
  { name: 'start', about: 'start a visit', operation: 'startVisit', id: 'visit' },
  { name: 'complete', about: 'complete a visit', operation: 'completeVisit', id: 'visit' },
  { name: 'no-show', about: 'mark a visit as a no-show', operation: 'noShowVisit', id: 'visit' },
]

function registerMove(parent: Command, move: Move, open: OpenContext): void {
  const command = parent.command(move.name).description(move.about)
  withId(command, move.id, prefixes[move.id])
  for (const [flags, about] of move.options ?? []) command.option(flags, about)
  command.action(async (id: string) => {
    const body = move.body?.(command.opts<Options>())
    const flags = body === undefined ? {} : { data: JSON.stringify(body) }
    await runOperation(open(command), await operation(move.operation), [id], flags)
  })
}

type AutopilotFlags = {
  readonly approveAfter?: string
  readonly shipAfter?: string
  readonly off?: boolean
}

const seconds = (text: string, flag: string) => Math.round(milliseconds(text, flag) / 1000)

async function autopilot(context: Context, flags: AutopilotFlags): Promise<void> {
  const { approveAfter, shipAfter, off } = flags
  if (!off && approveAfter === undefined && shipAfter === undefined) {
    return runOperation(context, await operation('getAutopilot'), [], {})
  }
  const body = off
    ? { approve_after_s: null, ship_after_s: null }
    : {
        ...(approveAfter === undefined
          ? {}
          : { approve_after_s: seconds(approveAfter, '--approve-after') }),
        ...(shipAfter === undefined ? {} : { ship_after_s: seconds(shipAfter, '--ship-after') }),
      }
  await runOperation(context, await operation('updateAutopilot'), [], {
    data: JSON.stringify(body),
  })
}

/** Sets the sandbox clock: `+36h` or a time moves it forward, and `stop` pauses it. Only a
 *  sandbox reset moves it back. */
async function clock(context: Context, to: string | undefined, flags: { wait?: boolean }) {
  const { api, out, flags: shared } = context
  const path = '/preview/test/clock'
  if (to === undefined || to === 'show') {
    return runOperation(context, await operation('getTestClock'), [], {})
  }
  await context.mode()
  const by = to.startsWith('+') ? duration(to.slice(1)) : undefined
  const isTime = !to.startsWith('+') && !Number.isNaN(Date.parse(to))
  if (to !== 'stop' && by === undefined && !isTime) {
    throw usage(
      'the clock takes +36h, a timestamp, stop or show',
      'To set it back, run `svc sandbox reset`.',
    )
  }
  const body =
    to === 'stop'
      ? { resume: true }
      : by === undefined
        ? { set_to: to }
        : { advance_by_s: by / 1000 }
  const key = shared.idempotencyKey ?? newKey()
  const keys = { idempotencyKey: key, commandKey: key }
  let { body: found } = await api.call({ method: 'POST', path, body, ...keys })
  if (flags.wait !== false && (found as { is_advancing: boolean }).is_advancing) {
    out.say('Advancing the clock, one due task at a time.')
    while ((found as { is_advancing: boolean }).is_advancing) {
      await wait(250)
      found = (await api.call({ method: 'GET', path })).body
    }
  }
  await out.print(found)
}

async function reset(context: Context): Promise<void> {
  const { api, flags, isInteractive } = context
  if (!flags.yes) {
    const { body } = await api.call({ method: 'GET', path: '/v1/organization' })
    const { slug } = body as { slug: string }
    if (!isInteractive) throw usage('this deletes all sandbox data', 'Add --yes to confirm.')
    const { isCancel, text } = await import('@clack/prompts')
    const typed = await text({
      message: `This deletes all sandbox data. Type ${slug} to confirm.`,
      output: process.stderr,
    })
    if (isCancel(typed)) throw new CommandError('interrupted', 'nothing was changed')
    if (typed !== slug) throw usage(`that isn't ${slug}; nothing was changed`)
  }
  await runOperation(context, await operation('resetSandbox'), [], {})
}

function registerControls(parent: Command, open: OpenContext): void {
  const pilot = parent
    .command('autopilot')
    .description('show or set the sandbox autopilot')
    .option('--approve-after <duration>', 'approve cases after this long: 5s')
    .option('--ship-after <duration>', 'ship, then deliver after this long: 5s')
    .option('--off', 'turn autopilot off')
    .action(() => autopilot(open(pilot), pilot.opts<AutopilotFlags>()))
  const time = parent
    .command('clock')
    .description('show or advance the sandbox clock: +36h')
    .argument('[to]', '+36h, a timestamp, stop or show')
    .option('--no-wait', "don't wait for it to arrive")
    .action((to: string | undefined) => clock(open(time), to, time.opts<{ wait?: boolean }>()))
  const empty = parent
    .command('reset')
    .description('delete all sandbox data; keeps keys and endpoints')
    .action(() => reset(open(empty)))
  const seeding = parent
    .command('seed')
    .description('create synthetic patients, each with a case')
    .option('--patients <number>', 'how many (20)')
    .action(async () => {
      const { seed } = await import('../sandbox/seed.ts')
      await seed(open(seeding), seeding.opts<{ patients?: string }>())
    })
}

export const sandboxFamily: Family = (parent, open) => {
  const looping = parent
    .command('loop')
    .description('play a scenario with synthetic patients, step by step')
    .option('--scenario <name>', 'scenario name (delivered)')
    .option('--all', 'play every scenario')
    .option('--file <path>', 'play your own scenario file')
    .option('--list', 'list the scenarios')
    .option('--print', 'print a scenario as JSON, for editing')
    .addHelpText('after', '\nExample:\n  svc sandbox loop --scenario blocked-order\n')
    .action(async () => {
      const { loop } = await import('../sandbox/loop.ts')
      await loop(open(looping), looping.opts<LoopFlags>())
    })
  for (const move of moves) registerMove(parent, move, open)
  const visit = parent
    .command('visit')
    .description('start, complete or miss a visit')
    .helpCommand(false)
  for (const move of visitMoves) registerMove(visit, move, open)
  registerControls(parent, open)
}
