// Says what is going on, but only of what takes over a second.
const patienceMilliseconds = 1000
const reminderMilliseconds = 10_000

export type Say = (line: string) => void

export async function step<T>(title: string, say: Say, work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  const seconds = () => `${((performance.now() - started) / 1000).toFixed(1)} s`
  let said = false
  let timer = setTimeout(() => {
    said = true
    say(`${title} …`)
    timer = setInterval(() => say(`  … ${seconds()}`), reminderMilliseconds)
  }, patienceMilliseconds)
  try {
    const result = await work()
    if (said) say(`  done in ${seconds()}`)
    return result
  } finally {
    clearTimeout(timer)
  }
}
