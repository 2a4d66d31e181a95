// Operations of the API as lines for a terminal in which KEY is a key of test mode.
import { type CallableId, callable } from '#contract/callable.ts'
import { isWrite } from '#contract/operation.ts'

/** A single quote would end the text of the shell, so JSON has its escape instead. */
const quoted = (body: object) =>
  JSON.stringify(body, null, 2)
    .replaceAll("'", String.raw`\u0027`)
    .replaceAll('\n', '\n  ')

export function curlOf(api: string, operation: CallableId, id = '', body?: object): string {
  const row = callable[operation]
  const url = api + row.path.replace(/\{\w+\}/, id)
  const write = isWrite(row)
  return [
    write ? `curl -X ${row.method} "${url}"` : `curl "${url}"`,
    '-H "Authorization: Bearer $KEY"',
    ...(write ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d '${quoted(body)}'`]),
  ].join(' \\\n  ')
}
