// API operations as curl commands for a shell in which KEY is a test key.
import { type CallableId, callable } from '#contract/callable.ts'
import { isWrite } from '#contract/operation.ts'

/** A single quote would end the shell's string, so JSON uses its escape instead. */
const quoted = (body: object) =>
  JSON.stringify(body, null, 2)
    .replaceAll("'", String.raw`\u0027`)
    .replaceAll('\n', '\n  ')

type CurlParts = {
  /** The API's base URL. */
  readonly api: string
  /** A new idempotency key for a write, ready to paste. */
  readonly key: string
  /** The ID in the path. */
  readonly id?: string
  readonly body?: object
}

export function curlOf(operation: CallableId, { api, key, id = '', body }: CurlParts): string {
  const row = callable[operation]
  const url = api + row.path.replace(/\{\w+\}/, id)
  const write = isWrite(row)
  return [
    write ? `curl -X ${row.method} "${url}"` : `curl "${url}"`,
    '-H "Authorization: Bearer $KEY"',
    ...(write ? [`-H "Idempotency-Key: ${key}"`] : []),
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d '${quoted(body)}'`]),
  ].join(' \\\n  ')
}
