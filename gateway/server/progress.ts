// Reports the progress of start-up steps that take longer than a second.
const quietMilliseconds = 1000
const reminderMilliseconds = 10_000

export type Say = (line: string) => void

export async function step<T>(title: string, say: Say, work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  const seconds = () => `${((performance.now() - started) / 1000).toFixed(1)} s`
  let reported = false
  let timer = setTimeout(() => {
    reported = true
    say(`${title} …`)
    timer = setInterval(() => say(`  … ${seconds()}`), reminderMilliseconds)
  }, quietMilliseconds)
  try {
    const result = await work()
    if (reported) say(`  done in ${seconds()}`)
    return result
  } finally {
    clearTimeout(timer)
  }
}
