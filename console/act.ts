// Handles forms. Each form calls a console operation with the version that the form's page showed.
// An error shows the page again with the typed text, and so does a signature whose second factor
// isn't verified yet.
import { type ConsoleId, consoleOperations } from '#contract/console/operations.ts'
import type { ConsoleOperation } from '#contract/console/row.ts'
import type { ConsolePageId } from '#contract/console/table.ts'
import { problems, type Problem } from '#contract/problems.ts'
import type { ConfirmationFault } from '#auth/accounts/confirmations.ts'
import { confirmInForm } from './confirm.tsx'
import type { ConsoleCall, ConsoleContext, ConsoleHandler, OperationResult } from './context.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'

/** Why a form was refused. `status` is for a page whose own field shows the error. */
export type FormRefusal = {
  readonly problem?: Problem
  readonly fault?: ConfirmationFault
  readonly status?: 422
}

/** The status of a page that shows why a form was refused. Undefined if no form was sent. */
export function statusOf({ problem, fault, status }: FormRefusal) {
  const code = problem ? problems[problem.code].status : fault ? 403 : status
  return code === undefined ? {} : { status: code }
}

export type Show = (
  context: ConsoleContext,
  call: ConsoleCall,
  refused: FormRefusal,
) => Promise<PageAnswer>

/** Verifies a form's second factor unless it's fresh, and then performs the form's action. */
export const confirmed =
  (show: Show, handler: ConsoleHandler): ConsoleHandler =>
  async (context, call) => {
    const fault = call.isFactorFresh ? null : await confirmInForm(context, call)
    return fault === null
      ? handler(context, { ...call, isFactorFresh: true })
      : show(context, call, { fault })
  }

type Act<K extends ConsoleId> = {
  readonly operation: K
  /** The form's page, and the key of its message once the form is done. */
  readonly page: ConsolePageId
  readonly said: string
  readonly show: Show
  /** The fields of the request body, except the version. */
  body?(form: URLSearchParams): object
}

export function act<K extends ConsoleId>(given: Act<K>): ConsoleHandler {
  const { operation, page, said, show, body = () => ({}) } = given
  const handler: ConsoleHandler = async (context, call) => {
    const version = call.form.get('version')
    const done: OperationResult<K> = await call.perform(operation, {
      body: { ...(version !== null && { version }), ...body(call.form) },
    })
    if (done.problem) return show(context, call, { problem: done.problem })
    return { redirect: call.pathOf(page, { id: call.names['id'] ?? '' }, { done: said }) }
  }
  const { isSignature }: ConsoleOperation = consoleOperations[operation]
  return isSignature === true ? confirmed(show, handler) : handler
}

/** A form field's text, with plain line feeds. */
export const textOf = (form: URLSearchParams, name: string): string =>
  (form.get(name) ?? '').trim().replaceAll('\r\n', '\n')
