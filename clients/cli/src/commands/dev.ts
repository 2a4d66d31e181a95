// `svc dev`: runs the whole platform on this machine. This package doesn't contain the platform,
// whose license differs; the command finds and starts a checkout or a packed platform.

import type { Command } from 'commander'
import type { Family } from '../arguments.ts'
import type { Context } from '../context.ts'
import { CommandError, usage } from '../errors.ts'
import { findPlatform } from '../dev/find.ts'
import { type Platform, startPlatform } from '../dev/platform.ts'
import { runWith } from '../dev/run.ts'

type Flags = {
  readonly platform?: string
  readonly port?: string
  readonly data?: string
  readonly ephemeral?: boolean
  readonly reset?: boolean
  readonly clock?: string
  readonly databaseUrl?: string
}

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const port = Number(text)
  if (Number.isInteger(port) && port >= 1024 && port <= 65_530) return port
  throw usage('--port must be a whole number from 1024 to 65530')
}

function announce({ out }: Context, { access }: Platform): void {
  out.say(`API      ${access.url}   test key ${access.key}`)
  out.say(`Site     ${access.url}/docs`)
  out.say(`Portal   ${access.portal_url}`)
  out.say(`Requests ${access.portal_url}/requests`)
  out.say('\nIn another terminal:')
  out.say(`  export SVC_BASE_URL=${access.url} SVC_API_KEY=${access.key}`)
  out.say('  svc listen -f localhost:4000/webhooks   # prints the signing secret')
  out.say('  svc sandbox loop\n\nPress Ctrl-C to stop.')
}

async function confirmReset({ flags, isInteractive }: Context): Promise<void> {
  if (flags.yes) return
  if (!isInteractive) throw usage('--reset deletes all platform data', 'Add --yes.')
  const { confirm } = await import('@clack/prompts')
  const answer = await confirm({ message: 'Delete all platform data?', output: process.stderr })
  if (answer !== true) throw new CommandError('interrupted', 'nothing was changed')
}

async function dev(context: Context, words: readonly string[], flags: Flags): Promise<void> {
  const { out } = context
  const isEphemeral = flags.ephemeral === true
  if (words.length > 0 && !isEphemeral) throw usage('running a command requires --ephemeral')
  if (flags.databaseUrl && (isEphemeral || flags.reset)) {
    throw usage(
      "--database-url can't be combined with --ephemeral or --reset, which delete the database",
    )
  }
  const port = portOf(flags.port)
  const { folder, data } = await findPlatform(flags.platform, process.cwd(), out.say)
  if (flags.reset) await confirmReset(context)
  out.say(`Starting the platform in ${folder}.`)
  const platform = await startPlatform({
    folder,
    isEphemeral,
    isReset: flags.reset === true,
    ...(port === undefined ? {} : { port }),
    data: flags.data ?? data,
    ...(flags.databaseUrl ? { databaseUrl: flags.databaseUrl } : {}),
    onLine: line => out.verbose(line),
  })
  try {
    if (flags.clock) await platform.setClock(flags.clock)
    if (words.length > 0) process.exitCode = await runWith(words, platform.access)
    else {
      announce(context, platform)
      await platform.ended
    }
  } finally {
    await platform.stop()
  }
}

export const devFamily: Family = (command: Command, open) => {
  command
    .argument('[command...]', 'command to run against it, after --')
    .option('--platform <path>', 'a checkout or a packed platform (or SVC_PLATFORM)')
    .option('--ephemeral', 'use a temporary database')
    .option('--port <number>', 'first of the five ports to use')
    .option('--data <folder>', 'data folder')
    .option('--database-url <url>', 'use your own PostgreSQL 18')
    .option('--reset', 'delete the data first')
    .option('--clock <time>', 'advance the sandbox clock to this time')
    .addHelpText(
      'after',
      `
Starts the checkout you're in, or the platform unpacked before. To start without a checkout or a
network, name a file from npm run pack -- platform once.

Examples:
  svc dev
  svc dev --platform svc-platform-0.1.0-linux-x64.tgz
  svc dev --ephemeral -- npm test
`,
    )
    .action((words: readonly string[]) => dev(open(command), words, command.opts<Flags>()))
}
