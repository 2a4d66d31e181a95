import { fieldMessage } from '#contract/messages/field-messages.ts'
import { firstIdOf } from '#contract/ids.ts'
import { loggedIds } from '#contract/callable.ts'
import { invalid } from '#contract/problems.ts'
import { nothing, sql, type Statement } from '#database/sql.ts'
import { read } from '../preview/handler.ts'
import { paging } from '../pipeline/pages.ts'
import { published } from '../pipeline/publish.ts'
import { requestColumns, requestsOf } from './request.ts'

/** A misspelled operation would match no call and look like an empty log. */
function checkOperation(operation: string | undefined): void {
  if (operation === undefined || loggedIds.some(id => id === operation)) return
  const message = fieldMessage.notInEnum('operation', loggedIds, operation)
  throw invalid([{ pointer: '?operation', code: 'not_in_enum', message }])
}

const firstIdAt = (moment: string) => firstIdOf('req', Date.parse(moment))

export const listRequests = read('listRequests', (call, input) => {
  const { since, until, operation, status, code, credential } = input
  checkOperation(operation)
  const when = <T>(value: T | undefined, condition: (value: T) => Statement) =>
    value === undefined ? nothing : condition(value)
  return {
    // An ID starts with its request's timestamp, so a time span is a range of the primary key.
    // Refused calls have their own index, which the status filter's last condition lets the query
    // use.
    rows: sql`
      select id, ${published(requestColumns(call))} as item ${requestsOf(call)}
         ${when(since, one => sql`and id >= ${firstIdAt(one)}`)}
         ${when(until, one => sql`and id < ${firstIdAt(one)}`)}
         ${when(operation, one => sql`and operation = ${one}`)}
         ${when(status, one => sql`and status = ${one}::int2`)}
         ${status !== undefined && status >= 400 ? sql`and code is not null` : nothing}
         ${when(code, one => sql`and code = ${one}`)}
         ${when(credential, one => sql`and credential = ${one}`)}
         ${paging(input)}`,
  }
})
