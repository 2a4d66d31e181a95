// Runs the command that was typed: finds its family, loads it, and turns what it throws into talk
// and an exit code.

import { Command, CommanderError } from 'commander'
import { type Family, flagsOf, globalOptions } from './arguments.ts'
import { type Context, openContext } from './context.ts'
import { columnsOf, environment } from './environment.ts'
import { CommandError, exitCodes } from './errors.ts'
import { families, isResource } from './families.ts'
import { printable } from './output/table.ts'

const takesValue = new Set(
  globalOptions
    .filter(([flags]) => flags.includes('<'))
    .map(([flags]) => flags.split(' ')[0] ?? ''),
)

/** The first word that is neither a flag nor the value of one. */
function familyIn(words: readonly string[]): string | undefined {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (!word.startsWith('-')) return word
    if (takesValue.has(word)) at++
  }
  return undefined
}

export type Program = { readonly root: Command; readonly context: () => Context | undefined }

/** What the library wrote last to standard error. */
let talk = ''

/** The tree with every first word; `wanted` families are complete. */
export async function buildProgram(wanted: (name: string) => boolean): Promise<Program> {
  const root = new Command('svc')
  let context: Context | undefined
  // What it says of wrong use is in the error as well; a help that was not asked for is kept.
  root.exitOverride().configureOutput({ writeErr: text => void (talk = text) })
  root.helpCommand(false).showSuggestionAfterError(true)
  for (const [flags, about] of globalOptions) root.option(flags, about)
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

/** What the library says of wrong use, in our form: `unknown command 'case': did you mean …?` */
function usageText({ message }: CommanderError): string {
  const [first = '', second] = message.replace(/^error: /, '').split('\n')
  const suggestion = /^\(Did you mean (.*)\?\)$/.exec(second ?? '')?.[1]
  return `Error: ${printable(first)}${suggestion ? `: did you mean ${suggestion}?` : ''}\n`
}

/** A parent without a command that it could run shows its help; that is wrong use unless asked. */
const isHelp = ({ code }: CommanderError) =>
  code === 'commander.helpDisplayed' || code === 'commander.version'

function failed(error: unknown, context: Context | undefined): number {
  if (error instanceof CommanderError) {
    if (isHelp(error)) return exitCodes.done
    say(error.code === 'commander.help' ? talk : usageText(error))
    return exitCodes.usage
  }
  if (error instanceof CommandError) {
    if (context) context.out.fail(error)
    else say(`Error: ${printable(error.message)}\n${error.hint ? `  ${error.hint}\n` : ''}`)
    return exitCodes[error.exit]
  }
  const { message = String(error), stack = message } = error as Partial<Error>
  say(`Error: ${environment['SVC_DEBUG'] ? stack : message}\n  SVC_DEBUG=1 shows where.\n`)
  return exitCodes.failed
}

export async function run(words: readonly string[]): Promise<number> {
  const name = familyIn(words)
  const asked = words[0] === 'help' ? words[1] : undefined
  if (asked !== undefined && asked !== 'options') return run([...words.slice(1), '--help'])
  if (name === 'help' || name === 'options') {
    const { optionsHelp, rootHelp } = await import('./root-help.ts')
    const columns = columnsOf(process.stdout, 80)
    const isOptions = words.includes('options')
    process.stdout.write(isOptions ? optionsHelp(globalOptions, columns) : rootHelp(columns))
    return exitCodes.done
  }
  const isAll = name === 'map' || (name === 'completion' && !words.includes('--ids'))
  const program = await buildProgram(one => isAll || one === name)
  process.once('SIGINT', () => process.exit(exitCodes.interrupted))
  try {
    await program.root.parseAsync(words, { from: 'user' })
    return Number(process.exitCode ?? exitCodes.done)
  } catch (error) {
    return failed(error, program.context())
  }
}
