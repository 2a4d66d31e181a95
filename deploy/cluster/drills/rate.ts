// Drives a drill's clients: new requests at a fixed rate, each repeated until it gets a response.

/** Repeats an attempt until it gets a response, with pauses that increase to one second. */
export async function untilAnswered<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let pause = 50; ; pause = Math.min(pause * 2, 1000)) {
    const found = await attempt()
    if (found !== undefined) return found
    await Bun.sleep(pause * (0.5 + Math.random()))
  }
}

/** Starts `work`, which must not reject, `rate` times a second. While `most` are running, starts
 *  are skipped. */
export function startAtRate(rate: number, most: number, work: (number: number) => Promise<void>) {
  const outstanding = new Set<Promise<void>>()
  let [sent, skipped] = [0, 0]
  function start(): void {
    const working: Promise<void> = work(sent++).finally(() => outstanding.delete(working))
    outstanding.add(working)
  }
  const began = performance.now()
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - began) / 1000) * rate)
    while (sent + skipped < due) {
      if (outstanding.size < most) start()
      else skipped++
    }
  }, 10)
  return {
    counts: () => ({ sent, skipped }),
    /** Stops starting work, and resolves when all running work has ended. */
    async finish() {
      clearInterval(timer)
      await Promise.all(outstanding)
    },
  }
}
