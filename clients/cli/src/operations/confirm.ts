// Asks for confirmation in live mode before an operation that can't be undone.

import type { Context } from '../context.ts'
import { CommandError, usage } from '../errors.ts'
import type { Operation } from '../../../generate/cli/row.ts'

/** Treats a credential with an unknown mode as live. */
export async function confirmed(
  context: Context,
  { summary }: Operation,
  what: string,
): Promise<void> {
  const { flags, isInteractive } = context
  if (flags.yes || (await context.mode()) === 'test') return
  const message = `${summary.replace(/\.$/, '')}: ${what}. This can't be undone in live mode.`
  if (!isInteractive) throw usage(message, 'Add --yes to confirm.')
  const { confirm } = await import('@clack/prompts')
  const answer = await confirm({
    message: `${message} Continue?`,
    initialValue: false,
    output: process.stderr,
  })
  if (answer !== true) throw new CommandError('interrupted', 'nothing was changed')
}
