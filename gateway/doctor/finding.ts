// One doctor finding. No text contains a setting's value.

export type Finding = {
  /** A setting or a checked component. */
  readonly name: string
  /** A fault must be fixed before others use the platform; a warning may be intentional. */
  readonly status: 'ok' | 'warning' | 'fault'
  readonly text: string
}

export const ok = (name: string, text: string): Finding => ({ name, status: 'ok', text })
export const warning = (name: string, text: string): Finding => ({ name, status: 'warning', text })
export const fault = (name: string, text: string): Finding => ({ name, status: 'fault', text })

/** The maximum difference between two clocks. The maximum is low because authenticator codes are
 *  valid for 30 seconds. */
const clockSecondsMax = 5

export function clockFinding(name: string, offMilliseconds: number): Finding {
  const seconds = Math.abs(offMilliseconds) / 1000
  if (seconds <= clockSecondsMax) return ok(name, "Matches this machine's clock.")
  const text = `${Math.round(seconds)} seconds off this machine's clock. Sync both with a time server.`
  return fault(name, text)
}

/** A library's error message. Drivers include hosts in theirs, but never passwords. */
export const reasonOf = (failure: unknown): string =>
  failure instanceof Error ? failure.message || failure.name : String(failure)
