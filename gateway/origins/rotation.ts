// Whether a gateway is in rotation: a load balancer requests /api/ready, and a supervisor
// /api/live. Neither path is rate-limited, logged or bound to a host name, because load balancers
// and supervisors use only an address. A gateway stays ready while the database is down: the
// gateway still serves pages, and responds to API requests with an error.
import type { Draining } from '../settings/config-services.ts'
import type { Listeners } from './listeners.ts'

export type Rotation = {
  isReady(): boolean
  /** Resolves when no request is running, or after DRAIN_SECONDS. */
  leave(realtime: Closing): Promise<void>
}

type Closing = { close(): Promise<void> }

type RotationParts = {
  readonly listeners: Pick<Listeners, 'leave' | 'stop'>
  readonly draining: Draining
  readonly isPrivate: boolean
  /** Whether this version may serve the current schema. */
  isAccepted(): boolean
}

const defaultDelaySeconds = 5

export function openRotation(parts: RotationParts): Rotation {
  const { listeners, draining, isPrivate } = parts
  const delaySeconds = draining.delaySeconds ?? (isPrivate ? 0 : defaultDelaySeconds)
  let isLeaving = false
  const drain = async () => {
    await Promise.race([listeners.stop(), Bun.sleep(draining.seconds * 1000)])
    await listeners.stop(true)
  }
  return {
    isReady: () => !isLeaving && parts.isAccepted(),
    async leave(realtime) {
      isLeaving = true
      listeners.leave()
      await Bun.sleep(delaySeconds * 1000)
      await Promise.all([drain(), realtime.close()])
    },
  }
}

/** The two probes' responses by path. */
export function probesOf({ isReady }: Pick<Rotation, 'isReady'>) {
  const answer = (passes: boolean) => {
    const body = { status: passes ? 'pass' : 'fail' }
    return Response.json(body, {
      status: passes ? 200 : 503,
      headers: { 'cache-control': 'no-store' },
    })
  }
  return { '/api/live': () => answer(true), '/api/ready': () => answer(isReady()) }
}
