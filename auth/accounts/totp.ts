// An authenticator app's one-time codes (RFC 6238), which have six digits and change every thirty
// seconds.
import { Secret, TOTP } from 'otpauth'

const periodSeconds = 30
const secretBytes = 20

/** A new secret in base32, for an authenticator app. */
export const newTotpSecret = (random: (count: number) => Uint8Array): string =>
  new Secret({ buffer: Uint8Array.from(random(secretBytes)).buffer }).base32

const generator = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret), period: periodSeconds, digits: 6 })

/**
 * The time step that a code belongs to, or null for a wrong code. The previous and next steps count
 * as well, because phone clocks differ (RFC 6238 section 5.2).
 */
export function stepOfCode(secret: string, code: string, milliseconds: number): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const delta = generator(secret).validate({ token: code, timestamp: milliseconds, window: 1 })
  return delta === null ? null : Math.floor(milliseconds / 1000 / periodSeconds) + delta
}

export const codeAt = (secret: string, milliseconds: number): string =>
  generator(secret).generate({ timestamp: milliseconds })
