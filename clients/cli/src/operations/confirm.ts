// In live mode, an operation that can't be undone asks first.

import type { Context } from '../context.ts'
import { CommandError, usage } from '../errors.ts'
import type { Operation } from '../../../generate/cli/row.ts'

/** A credential that doesn't show its mode may be a live one. */
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
