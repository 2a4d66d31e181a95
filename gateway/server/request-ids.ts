import { idOf, randomHalves } from '#contract/ids.ts'
import { now, randomBytes } from '#database/clock.ts'

const [halfLength, drawnAtOnce] = [16, 256]
let drawn = ''
let next = 0

/** The id of a request. Their chance is drawn by the hundred, because every answer carries one. */
export function newRequestId(): string {
  if (next === drawn.length) {
    drawn = randomHalves(randomBytes(drawnAtOnce * halfLength))
    next = 0
  }
  next += halfLength
  return idOf('request', now(), drawn.slice(next - halfLength, next))
}
