// Parses times as users type them.

import { usage } from './errors.ts'

const units: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** Parses a duration such as `36h` into milliseconds. Returns undefined for any other form. */
export function duration(text: string): number | undefined {
  const [, number, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? []
  return number === undefined ? undefined : Number(number) * (units[unit] ?? 0)
}

/** Parses a timestamp, or a duration before now, such as `10m`. `now` is the server's time,
 *  because this machine's clock may be wrong. */
export function moment(text: string, now: number): string {
  const ago = duration(text)
  const time = ago === undefined ? Date.parse(text) : now - ago
  if (!Number.isNaN(time)) return new Date(time).toISOString()
  throw usage(
    '--since must be a timestamp such as 2026-11-22T12:00:00Z, or 10m for ten minutes ago',
  )
}
