// A process's own metrics: its memory, and how late its timers fire. Work that blocks the event
// loop delays every request by as much.
import type { Metrics } from './metrics.ts'

const everyMilliseconds = 250

export function measureProcess(metrics: Metrics): { stop(): void } {
  let due = performance.now() + everyMilliseconds
  let latest = 0
  const timer = setInterval(() => {
    const at = performance.now()
    latest = Math.max(latest, at - due)
    due = at + everyMilliseconds
  }, everyMilliseconds)
  timer.unref()
  metrics.collect(() => {
    // If a delay hasn't ended, counts its length so far.
    const delay = Math.max(latest, performance.now() - due, 0)
    latest = 0
    return [
      { name: 'telehealth_event_loop_delay_seconds', labels: {}, value: delay / 1000 },
      { name: 'telehealth_memory_bytes', labels: {}, value: process.memoryUsage().rss },
    ]
  })
  return { stop: () => clearInterval(timer) }
}
