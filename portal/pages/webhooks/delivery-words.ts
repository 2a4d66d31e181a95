// Why an attempt failed, in words.
const reasons: Readonly<Record<string, string>> = {
  timeout: 'Timed out',
  dns_failure: 'DNS lookup failed',
  connection_failed: 'Connection failed',
  tls_failure: 'TLS failed',
  protocol_failure: 'Invalid HTTP response',
  rejected: 'Rejected by the destination',
  blocked_address: 'Not a public address',
  endpoint_disabled: 'Endpoint disabled',
  endpoint_deleted: 'Endpoint deleted',
  not_granted: 'No access to the clinic',
}

/** The response status, or why there was none. */
export const outcomeText = (status: number | null, error: string | null): string =>
  error !== null ? (reasons[error] ?? error) : status === null ? '' : String(status)

export const millisecondsText = (milliseconds: number | null): string =>
  milliseconds === null ? '' : `${milliseconds.toLocaleString('en-US')}\u00a0ms`

const units = [
  ['h', 3600],
  ['min', 60],
] as const

/** A wait in the retry schedule: 86,400 is 24 h. */
export function waitText(seconds: number): string {
  const [unit, size] = units.find(([, size]) => seconds >= size && seconds % size === 0) ?? ['s', 1]
  return `${seconds / size} ${unit}`
}
