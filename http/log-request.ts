import type { Log } from './log.ts'

export type RequestLog = Pick<Log, 'request' | 'readsTraceparent' | 'readsAddress'>

/** An endpoint's request, or a prebuilt file's path. */
type LoggedRequest = {
  readonly route: string
  readonly id: string | null
  readonly address: string | null
  readonly logFields?: Record<string, string>
}

const noFields = {}

/** Logs a request once it has its response. */
export function logRequest(
  log: RequestLog,
  { method, url, headers }: Request,
  status: number,
  started: number,
  request: LoggedRequest,
): void {
  const milliseconds = performance.now() - started
  const traceparent = log.readsTraceparent === true ? headers.get('traceparent') : null
  const address = log.readsAddress === true ? request.address : null
  const { route, id: requestId, logFields: fields = noFields } = request
  log.request({ method, route, url, status, milliseconds, requestId, fields, traceparent, address })
}
