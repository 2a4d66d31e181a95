// A process outlives connections that fail where no one waits for them. The driver may reject its
// own promise when a server goes away or its certificate expires, and Bun ends a process on a
// rejection that no one handles. Each call that needs a connection learns of its failure itself.
import { isAway } from '#database/failures.ts'
import type { Log } from '#http/log.ts'

/** Anything else that is not handled ends the process, as it would without this. */
export function outliveConnections(log: Pick<Log, 'event'>): void {
  const judge = (failure: unknown) => {
    if (!isAway(failure)) {
      console.error(failure)
      process.exit(1)
    }
    const { code, message } = failure as { code?: unknown; message?: unknown }
    log.event('connection.failed', { code: String(code), reason: String(message) })
  }
  process.on('unhandledRejection', judge)
  process.on('uncaughtException', judge)
}
