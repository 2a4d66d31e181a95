// The tree of all commands, for people, agents and the completion of shells.

import type { Command } from 'commander'

export type MapRow = {
  readonly command: string
  readonly summary: string
  readonly arguments: readonly string[]
  readonly options: readonly string[]
}

const rootOf = (command: Command): Command => (command.parent ? rootOf(command.parent) : command)

const wordsOf = (command: Command): string =>
  command.parent ? `${wordsOf(command.parent)} ${command.name()}` : command.name()

const rowOf = (command: Command): MapRow => ({
  command: wordsOf(command),
  summary: command.description(),
  arguments: command.registeredArguments.map(one => one.name()),
  options: command.options.map(({ flags }) => flags),
})

/** Every command that does something, in the order of the help. */
export function mapOf(any: Command): MapRow[] {
  const rows: MapRow[] = []
  const visit = (command: Command) => {
    // A group does nothing itself.
    if (command.commands.length === 0) rows.push(rowOf(command))
    for (const one of command.commands) visit(one)
  }
  visit(rootOf(any))
  return rows
}
