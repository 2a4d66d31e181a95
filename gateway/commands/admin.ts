// `npm run admin -- <command> …`: operator commands for an installation. A command is loaded only
// when it's run, and `--help` loads no settings and opens no connection.
import { closest } from 'fastest-levenshtein'
import { UsageFault } from '#auth/operator.ts'
import { databaseAway } from '../processes/launch-failure.ts'
import type { Command } from './command.ts'

type Entry = { readonly about: string; load(): Promise<Command> }

export const commands: Readonly<Record<string, Entry>> = {
  keys: {
    about: 'API keys and integrations',
    load: async () => (await import('./credentials.ts')).keys(),
  },
  clients: {
    about: 'OAuth clients and their secrets',
    load: async () => (await import('./credentials.ts')).clients(),
  },
  grants: {
    about: 'clinics, their first administrators, and live grants',
    load: async () => (await import('./credentials.ts')).grants(),
  },
  billing: {
    about: 'prices, invoices and payments',
    load: async () => (await import('./credentials.ts')).billing(),
  },
  audit: {
    about: 'check the audit log for tampering',
    load: async () => (await import('./audit.ts')).audit,
  },
  emergency: {
    about: "read a clinic's live rows for an hour, with a second operator's approval",
    load: async () => (await import('./emergency.ts')).emergency,
  },
  encryption: {
    about: 'record how disks and backups are encrypted, as live mode requires',
    load: async () => (await import('./encryption.ts')).encryption,
  },
  feedback: {
    about: 'show readers’ answers to “Was this page helpful?”',
    load: async () => (await import('./feedback.ts')).feedback,
  },
  codes: {
    about: 'load the ICD-10-CM codes clinicians search, by fiscal year',
    load: async () => (await import('./codes.ts')).diagnosisCodes,
  },
  doctor: {
    about: 'check the settings, the database, the disk and every service',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  backup: {
    about: 'back up or restore an installation',
    load: async () => (await import('./backup.ts')).backup,
  },
  migrate: {
    about: 'migrate the database, or list pending migrations',
    load: async () => (await import('./migrate.ts')).migration,
  },
  edge: {
    about: 'write nginx, Caddy and CDN configuration for the built site',
    load: async () => (await import('./edge.ts')).edge,
  },
  sql: {
    about: 'open a SQL prompt, or run one statement',
    load: async () => (await import('./sql.ts')).prompt,
  },
}

const overview = `Usage:
  npm run admin -- <command> …
  npm run admin -- <command> --help

${Object.entries(commands)
  .map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`)
  .join('\n')}

Run it in the gateway's environment: DATABASE_URL, or DATA_DIR if \`npm start\` runs the database.`

const isHelp = (word: string | undefined) => word === '--help' || word === '-h' || word === 'help'

/** Runs a command and returns its exit code. */
export async function runAdmin([name, ...args]: string[]): Promise<number> {
  const topic = name === 'help' ? args[0] : name
  if (topic === undefined || isHelp(topic)) {
    console.log(overview)
    return 0
  }
  const entry = Object.hasOwn(commands, topic) ? commands[topic] : undefined
  if (entry === undefined) {
    const near = closest(topic, Object.keys(commands))
    console.error(`"${topic}" is not a command. Did you mean ${near}?\n\n${overview}`)
    return 2
  }
  const { help, run, needsWords = false, failed = 1 } = await entry.load()
  const wantsHelp = name === 'help' || args.some(isHelp) || (needsWords && args.length === 0)
  if (wantsHelp) {
    console.log(help)
    return 0
  }
  try {
    return await run(args)
  } catch (error) {
    console.error(messageOf(error, help))
    return isUsage(error) ? 2 : failed
  }
}

const isOption = (error: unknown) =>
  error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
const isUsage = (error: unknown) => error instanceof UsageFault || isOption(error)

/** A failure's message, with help if the command line is wrong. */
function messageOf(error: unknown, help: string): string {
  const message = error instanceof Error ? error.message : String(error)
  if (isUsage(error)) return `${message}\n\n${help}`
  return databaseAway(error) ?? message
}

if (import.meta.main) process.exit(await runAdmin(process.argv.slice(2)))
