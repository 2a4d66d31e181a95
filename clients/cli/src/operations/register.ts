// Registers a command for each operation in the tree.

import type { Command } from 'commander'
import { flagsOf, type OpenContext, several, withId } from '../arguments.ts'
import { tree } from '../contract.ts'
import { columnsOf } from '../environment.ts'
import type { OperationFlags } from './run.ts'
import { operation } from './operation.ts'
import type { TreeRow } from '../../../generate/cli/row.ts'

/** Finds the group for these words, or creates it. */
function groupOf(parent: Command, words: readonly string[]): Command {
  let group = parent
  for (const word of words) {
    group = group.commands.find(one => one.name() === word) ?? group.command(word)
  }
  return group
}

async function register(parent: Command, row: TreeRow, open: OpenContext): Promise<void> {
  const { words, summary, ids, id } = row
  const group = groupOf(parent, words.slice(1, -1))
  const last = words.at(-1) ?? ''
  // `test reset` is a separate command next to `test cases …`.
  const command = group.command(last).description(summary)
  for (const { name, prefix } of ids) withId(command, name, prefix)
  const { optionOf, operationHelp } = await import('./help.ts')
  const found = await operation(id)
  for (const field of found.query) command.option(...optionOf(field))
  if (found.body) {
    command.option('-d <key=value>', 'set one body field; repeatable', several)
    command.option('--data <json>', 'request body: JSON, @file.json, or @- for stdin')
  }
  if (found.cursor !== undefined) command.option('--all', 'print every page')
  command.addHelpText('after', () => operationHelp(found, columnsOf(process.stdout, 80)))
  command.action(async () => {
    const { runOperation } = await import('./run.ts')
    await runOperation(open(command), found, command.args, flagsOf(command) as OperationFlags)
  })
}

export async function registerOperations(
  parent: Command,
  family: string,
  open: OpenContext,
): Promise<void> {
  for (const row of tree.filter(({ words }) => words[0] === family)) {
    await register(parent, row, open)
  }
}
