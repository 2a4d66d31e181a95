// Runs the typed command: finds its family, loads it, and turns its errors into messages and an
// exit code.

import { Command, CommanderError } from 'commander'
import { type Family, flagsOf, globalOptions, several } from './arguments.ts'
import { joined } from './completion/words.ts'
import { type Context, openContext } from './context.ts'
import { columnsOf, environment, writeOut } from './environment.ts'
import { CommandError, errorJson, exitCodes, repeatAdvice } from './errors.ts'
import { families, isResource } from './families.ts'
import { json } from './output/format.ts'
import { advice } from './output/output.ts'
import { printable } from './output/table.ts'
import { headline, optionHeadline } from './output/wrapped.ts'

const takesValue = new Set(
  globalOptions
    .filter(([flags]) => flags.includes('<'))
    .flatMap(([flags]) => flags.replace(/ <.*/, '').split(', ')),
)

/** The first word that is neither a flag nor a flag's value. */
function familyIn(words: readonly string[]): string | undefined {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (!word.startsWith('-')) return word
    if (takesValue.has(word)) at++
  }
  return undefined
}

export type Program = { readonly root: Command; readonly context: () => Context | undefined }

/** Commander's last output to standard error. */
let talk = ''

/** Builds the tree with every first word. Only `wanted` families have all their commands. */
export async function buildProgram(wanted: (name: string) => boolean): Promise<Program> {
  const root = new Command('svc')
  let context: Context | undefined
  // Stores Commander's stderr output, because its error already contains the message.
  root.exitOverride().configureOutput({ writeOut, writeErr: text => void (talk = text) })
  root.helpCommand(false).helpOption('-h, --help', 'show help').showSuggestionAfterError(true)
  root.configureHelp({
    commandDescription: command => headline(command.description()),
    subcommandDescription: command => headline(command.description()),
    optionDescription: option => optionHeadline(option.description),
  })
  for (const [flags, about] of globalOptions) {
    if (flags.startsWith('-H ')) root.option(flags, about, several)
    else root.option(flags, about)
  }
  const open = (command: Command) => (context ??= openContext(flagsOf(command)))
  for (const { name, about, load } of families) {
    const parent = root.command(name).description(about).helpCommand(false)
    if (!wanted(name)) continue
    if (isResource(name)) {
      const { registerOperations } = await import('./operations/register.ts')
      await registerOperations(parent, name, open)
    }
    const family: Family | undefined = await load?.()
    await family?.(parent, open)
  }
  return { root, context: () => context }
}

const say = (text: string) => void process.stderr.write(text)

/** Rewrites Commander's usage errors in our form: `unknown command 'case': did you mean …?` */
function usageOf({ message }: CommanderError): CommandError {
  const [first = '', second] = message.replace(/^error: /, '').split('\n')
  const suggestion = /^\(Did you mean (.*)\?\)$/.exec(second ?? '')?.[1]
  return new CommandError('usage', `${first}${suggestion ? `: did you mean ${suggestion}?` : ''}`)
}

function errorOf(error: unknown): CommandError {
  if (error instanceof CommandError) return error
  if (error instanceof CommanderError) return usageOf(error)
  const { message = String(error), stack = message } = error as Partial<Error>
  const text = environment['SVC_DEBUG'] ? stack : message
  return new CommandError('failed', text, 'Set SVC_DEBUG=1 to see where.')
}

/** Whether help was requested. An incomplete command also prints help, but as an error. */
const isHelp = ({ code }: CommanderError) =>
  code === 'commander.helpDisplayed' || code === 'commander.version'

function failed(error: unknown, context: Context | undefined, isJson: boolean): number {
  if (error instanceof CommanderError) {
    if (isHelp(error)) return exitCodes.done
    if (error.code === 'commander.help') {
      say(talk)
      return exitCodes.usage
    }
  }
  const fault = errorOf(error)
  if (context) context.out.fail(fault)
  else say(isJson ? json(errorJson(fault)) : `Error: ${printable(fault.message)}\n${advice(fault)}`)
  return exitCodes[fault.exit]
}

/** Reports the key of a write in progress, because the write may have reached the API. */
function interrupted(context: Context | undefined): never {
  const key = context?.api.underWay()
  if (key !== undefined) say(`\n${repeatAdvice(key)}\n`)
  process.exit(exitCodes.interrupted)
}

export async function run(words: readonly string[]): Promise<number> {
  const name = familyIn(words)
  const asked = words[0] === 'help' ? words[1] : undefined
  if (asked !== undefined && asked !== 'options') return run([...words.slice(1), '--help'])
  if (name === 'help' || name === 'options') {
    const { optionsHelp, rootHelp } = await import('./root-help.ts')
    const columns = columnsOf(process.stdout, 80)
    const isOptions = words.includes('options')
    writeOut(isOptions ? optionsHelp(globalOptions, columns) : rootHelp(columns))
    return exitCodes.done
  }
  // The family of the command being completed must be loaded too.
  const typed =
    name === 'completion' ? familyIn(joined(words.slice(words.indexOf('--') + 1))) : undefined
  const program = await buildProgram(one => name === 'map' || one === name || one === typed)
  process.once('SIGINT', () => interrupted(program.context()))
  try {
    await program.root.parseAsync(words, { from: 'user' })
    return Number(process.exitCode ?? exitCodes.done)
  } catch (error) {
    return failed(error, program.context(), words.includes('--json'))
  }
}
