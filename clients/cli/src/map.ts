// The tree of all commands, for people, agents and shell completion.

import type { Command } from 'commander'
import { headline } from './output/wrapped.ts'

export type MapRow = {
  readonly command: string
  readonly summary: string
  readonly arguments: readonly string[]
  readonly options: readonly string[]
}

export const rootOf = (command: Command): Command =>
  command.parent ? rootOf(command.parent) : command

export const wordsOf = (command: Command): string =>
  command.parent ? `${wordsOf(command.parent)} ${command.name()}` : command.name()

const rowOf = (command: Command): MapRow => ({
  command: wordsOf(command),
  summary: headline(command.description()),
  arguments: command.registeredArguments.map(one => one.name()),
  options: command.options.map(({ flags }) => flags),
})

/** Every runnable command, in help order. */
export function* commandsOf(any: Command): Generator<Command> {
  // A group isn't runnable.
  if (any.commands.length === 0) yield any
  for (const one of any.commands) yield* commandsOf(one)
}

export const mapOf = (any: Command): MapRow[] => [...commandsOf(rootOf(any))].map(rowOf)
