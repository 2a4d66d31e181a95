// Why an attempt failed, in words.
const reasons: Readonly<Record<string, string>> = {
  timeout: 'no answer in time',
  dns_failure: 'its name was not found',
  connection_failed: 'no connection',
  tls_failure: 'its certificate was not accepted',
  protocol_failure: 'the answer was not valid HTTP',
  blocked_address: 'its address is not public',
  endpoint_disabled: 'the endpoint was disabled',
  endpoint_deleted: 'the endpoint was deleted',
  not_granted: 'the clinic does not grant access',
}

/** What the receiver answered, or why it did not. */
export const outcomeText = (status: number | null, error: string | null): string =>
  error !== null ? (reasons[error] ?? error) : status === null ? '' : String(status)

export const millisecondsText = (milliseconds: number | null): string =>
  milliseconds === null ? '' : `${milliseconds.toLocaleString('en-US')} ms`

const units = [
  ['h', 3600],
  ['min', 60],
] as const

/** Of the retry schedule: 86,400 is 24 h. */
export function waitText(seconds: number): string {
  const [unit, size] = units.find(([, size]) => seconds >= size && seconds % size === 0) ?? ['s', 1]
  return `${seconds / size} ${unit}`
}
