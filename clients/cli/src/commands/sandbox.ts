// `svc sandbox`: the moves of the clinician, the pharmacy and the clock.

import type { Command } from 'commander'
import { type Family, flagsOf, type OpenContext } from '../arguments.ts'
import { wait } from '../api/client.ts'
import { type Context, milliseconds } from '../context.ts'
import { newKey } from '../environment.ts'
import { CommandError, usage } from '../errors.ts'
import { duration } from '../moment.ts'
import { operation } from '../operations/operation.ts'
import { runOperation } from '../operations/run.ts'
import type { LoopFlags } from '../sandbox/loop.ts'

type Options = Readonly<Record<string, string | undefined>>

/** A move on one resource: what is typed, the operation, and the body that it means. */
type Move = {
  readonly name: string
  readonly about: string
  readonly operation: string
  readonly id: 'case' | 'visit'
  readonly options?: readonly (readonly [flags: string, about: string])[]
  readonly body?: (options: Options) => unknown
}

const prefixes = { case: 'case', visit: 'vis' } as const

const reason = ['--reason <text>', 'why'] as const

const moves: readonly Move[] = [
  {
    name: 'approve',
    about: 'the clinician approves a case',
    operation: 'decideCase',
    id: 'case',
    body: () => ({ decision: 'approve' }),
  },
  {
    name: 'decline',
    about: 'the clinician declines a case',
    operation: 'decideCase',
    id: 'case',
    options: [reason],
    body: ({ reason = 'This medicine is not safe with your history.' }) => ({
      decision: 'decline',
      reason,
    }),
  },
  {
    name: 'ask',
    about: 'the clinician asks a question',
    operation: 'decideCase',
    id: 'case',
    options: [
      ['--question <text>', 'what is asked'],
      ['--target <who>', 'patient or integration (patient)'],
    ],
    body: ({ question = 'Have you ever had pancreatitis?', target = 'patient' }) => ({
      decision: 'needs_info',
      target,
      question,
    }),
  },
  {
    name: 'message',
    about: 'the clinician writes on the thread',
    operation: 'sendClinicianMessage',
    id: 'case',
    options: [['--body <text>', 'what is written']],
    body: ({ body = 'Yes, the evening is fine.' }) => ({ body }),
  },
  {
    name: 'ship',
    about: "the pharmacy ships a case's orders",
    operation: 'shipCase',
    id: 'case',
    options: [
      ['--carrier <name>', 'of the parcel'],
      ['--number <text>', 'of the parcel'],
    ],
    body: ({ carrier, number }) =>
      carrier === undefined && number === undefined ? {} : { tracking: { carrier, number } },
  },
  { name: 'deliver', about: 'the parcels arrive', operation: 'deliverCase', id: 'case' },
  {
    name: 'block',
    about: "the pharmacy blocks a case's orders",
    operation: 'blockCase',
    id: 'case',
    options: [reason],
    body: ({ reason = 'Out of stock until Thursday.' }) => ({ reason }),
  },
  { name: 'fail', about: "a case's orders fail for good", operation: 'failCase', id: 'case' },
]

const visitMoves: readonly Move[] = [
  { name: 'start', about: 'the clinician starts the visit', operation: 'startVisit', id: 'visit' },
  { name: 'complete', about: 'the visit ends', operation: 'completeVisit', id: 'visit' },
  { name: 'no-show', about: 'the patient does not come', operation: 'noShowVisit', id: 'visit' },
]

function registerMove(parent: Command, move: Move, open: OpenContext): void {
  const command = parent
    .command(move.name)
    .description(move.about)
    .argument(`<${move.id}>`, `an ID that starts with ${prefixes[move.id]}_`)
  for (const [flags, about] of move.options ?? []) command.option(flags, about)
  command.action(async (id: string) => {
    const body = move.body?.(command.opts<Options>())
    const { idempotencyKey } = flagsOf(command)
    await runOperation(open(command), await operation(move.operation), [id], {
      ...(body === undefined ? {} : { data: JSON.stringify(body) }),
      ...(idempotencyKey ? { idempotencyKey } : {}),
    })
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

/** `+36h` and a time move it; `stop` ends where it is. Only a reset of the sandbox sets it back. */
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
    throw usage('the clock takes +36h, a time, stop or show', '`svc sandbox reset` sets it back.')
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
    out.say('The clock moves from one thing that is due to the next.')
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
    if (!isInteractive) throw usage('this empties the sandbox', 'Add --yes.')
    const { isCancel, text } = await import('@clack/prompts')
    const typed = await text({
      message: `This empties the sandbox. Type ${slug} to go on.`,
      output: process.stderr,
    })
    if (isCancel(typed)) throw new CommandError('interrupted', 'nothing was changed')
    if (typed !== slug) throw usage(`that is not ${slug}: nothing was changed`)
  }
  await runOperation(context, await operation('resetSandbox'), [], {})
}

function registerControls(parent: Command, open: OpenContext): void {
  const pilot = parent
    .command('autopilot')
    .description("show or set the sandbox's timers")
    .option('--approve-after <duration>', 'approve a case so long after it was filed: 5s')
    .option('--ship-after <duration>', 'ship, then deliver, so long after: 5s')
    .option('--off', 'turn both off')
    .action(() => autopilot(open(pilot), pilot.opts<AutopilotFlags>()))
  const time = parent
    .command('clock')
    .description('show the clock of the sandbox, or advance it: +36h')
    .argument('[to]', '+36h, a time, stop or show')
    .option('--no-wait', 'do not wait until it has arrived')
    .action((to: string | undefined) => clock(open(time), to, time.opts<{ wait?: boolean }>()))
  const empty = parent
    .command('reset')
    .description('empty the sandbox; keys and webhook endpoints stay')
    .action(() => reset(open(empty)))
  const seeding = parent
    .command('seed')
    .description('invented patients, each with a case')
    .option('--patients <number>', 'how many (20)')
    .action(async () => {
      const { seed } = await import('../sandbox/seed.ts')
      await seed(open(seeding), seeding.opts<{ patients?: string }>())
    })
}

export const sandboxFamily: Family = (parent, open) => {
  const looping = parent
    .command('loop')
    .description('play a scenario with invented people, step by step')
    .option('--scenario <name>', 'one of --list (delivered)')
    .option('--all', 'every scenario')
    .option('--file <path>', 'a scenario of your own')
    .option('--list', 'print the scenarios')
    .option('--print', 'print a scenario as JSON, to edit it')
    .addHelpText('after', '\nExample:\n  svc sandbox loop --scenario blocked-order\n')
    .action(async () => {
      const { loop } = await import('../sandbox/loop.ts')
      await loop(open(looping), looping.opts<LoopFlags>())
    })
  for (const move of moves) registerMove(parent, move, open)
  const visit = parent.command('visit').description('start, complete or no-show').helpCommand(false)
  for (const move of visitMoves) registerMove(visit, move, open)
  registerControls(parent, open)
}
