// What a form does: an operation of the console with the version that was read. A refusal shows the
// page again, with what was typed.
import type { ConsoleId } from '#contract/console/operations.ts'
import type { ConsolePageId } from '#contract/console/table.ts'
import type { Problem } from '#contract/problems.ts'
import type { ConsoleCall, ConsoleHandler, OperationResult } from './context.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'

type Act<K extends ConsoleId> = {
  readonly operation: K
  /** The page of the form, and what it says when it was done. */
  readonly page: ConsolePageId
  readonly said: string
  show(call: ConsoleCall, problem: Problem): Promise<PageAnswer>
  /** The body besides the version, which a form about no version lacks. */
  body?(form: URLSearchParams): object
}

export const act =
  <K extends ConsoleId>({
    operation,
    page,
    said,
    show,
    body = () => ({}),
  }: Act<K>): ConsoleHandler =>
  async (_, call) => {
    const version = call.form.get('version')
    const done: OperationResult<K> = await call.perform(operation, {
      body: { ...(version !== null && { version }), ...body(call.form) },
    })
    if (done.problem) return show(call, done.problem)
    return { redirect: call.pathOf(page, { id: call.names['id'] ?? '' }, { done: said }) }
  }

/** Text of several lines, as a form has it. */
export const textOf = (form: URLSearchParams, name: string): string =>
  (form.get(name) ?? '').trim().replaceAll('\r\n', '\n')
