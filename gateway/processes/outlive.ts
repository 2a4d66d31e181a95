// Keeps a process alive when a connection fails while nothing awaits it. The driver may reject its
// own promise when a server disconnects or its certificate expires, and Bun exits on an unhandled
// rejection. Callers that use the connection still get its failure.
import { isAway } from '#database/failures.ts'
import type { Log } from '#http/log.ts'

/** By default, any other unhandled failure exits the process. */
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
