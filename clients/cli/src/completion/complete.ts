// The possible next words on a command line: commands, options, and their values.

import type { Command, Option } from 'commander'
import { prefixOf } from '../arguments.ts'
import { rootOf, wordsOf } from '../map.ts'
import type { Settings } from '../settings/settings.ts'
import { argumentValues, optionValues, seen } from './values.ts'
import { joined } from './words.ts'

/** A word and its description. */
type Candidate = readonly [word: string, about?: string]

type Position = {
  readonly command: Command
  /** The number of the command's arguments before the cursor. */
  readonly given: number
  /** The option whose value comes next. */
  readonly option?: Option | undefined
}

function* optionsOf(command: Command): Generator<Option> {
  yield* command.options
  if (command.parent) yield* optionsOf(command.parent)
}

const optionNamed = (command: Command, name: string) =>
  [...optionsOf(command)].find(({ long, short }) => long === name || short === name)

function positionOf(root: Command, typed: readonly string[]): Position {
  let [command, given] = [root, 0]
  let option: Option | undefined
  for (const word of joined(typed)) {
    if (option) option = undefined
    else if (word.startsWith('-')) {
      const found = word.includes('=') ? undefined : optionNamed(command, word)
      option = found?.required ? found : undefined
    } else {
      const next = command.commands.find(one => one.name() === word)
      if (next) command = next
      else given++
    }
  }
  return { command, given, option }
}

/** In a comma-separated list, only the last entry is completed. */
function inList(values: readonly string[], current: string): Candidate[] {
  const before = current.slice(0, current.lastIndexOf(',') + 1)
  return values.map(value => [`${before}${value}`])
}

async function valuesFor({ command }: Position, option: Option, current: string, set: Settings) {
  const words = wordsOf(command).replace(/^svc ?/, '')
  const values = await optionValues(words, option.name(), current, set)
  return inList(values, current)
}

async function candidates(at: Position, current: string, settings: Settings): Promise<Candidate[]> {
  const { command, given, option } = at
  if (option) return valuesFor(at, option, current, settings)
  const [, flag, value] = /^(--[\w-]+)=(.*)$/.exec(current) ?? []
  if (flag !== undefined && value !== undefined) {
    const found = optionNamed(command, flag)
    const values = found ? await valuesFor(at, found, value, settings) : []
    return values.map(([one]) => [`${flag}=${one}`])
  }
  if (current.startsWith('-')) {
    return [...optionsOf(command)].flatMap(({ long, short, description, hidden }) =>
      hidden ? [] : [[long ?? short ?? '', description] as const],
    )
  }
  const words = command.commands.map(one => [one.name(), one.description()] as const)
  if (words.length > 0 && given === 0) return words
  const argument = command.registeredArguments[given]
  if (!argument) return []
  const prefix = prefixOf(argument)
  const values = prefix ? seen(settings, prefix) : await argumentValues(wordsOf(command))
  return inList(values, '')
}

/** Lines for a shell's script: a word, then a tab and its description. */
export async function completed(
  any: Command,
  typed: readonly string[],
  current: string,
  settings: Settings,
): Promise<string> {
  const at = typed.indexOf('--profile')
  const profile = at < 0 ? settings.profile : (typed[at + 1] ?? settings.profile)
  const position = positionOf(rootOf(any), typed)
  const found = await candidates(position, current, { ...settings, profile })
  const fitting = found.filter(([word]) => word.startsWith(current))
  return fitting.map(([word, about]) => `${word}${about ? `\t${about}` : ''}\n`).join('')
}
