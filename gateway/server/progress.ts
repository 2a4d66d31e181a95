// Reports startup progress as lines, or on a terminal as one line that each step replaces and that
// disappears once the platform is ready.
const quietMilliseconds = 1000
const reminderMilliseconds = 10_000

export type Say = (line: string) => void
type Output = { write(text: string): unknown; readonly columns?: number }

const emptyLine = '\r\u001b[K'

export function openProgress(output: Output, isTransient: boolean) {
  let isShown = false
  return {
    say: ((line: string) => {
      isShown = isTransient
      const cut = line.trim().slice(0, (output.columns ?? 80) - 1)
      output.write(isTransient ? `${emptyLine}${cut}` : `${line}\n`)
    }) as Say,
    /** Clears the line before anything else is printed. */
    clear() {
      if (isShown) output.write(emptyLine)
      isShown = false
    },
  }
}

/** Runs a startup step, and reports it if it takes longer than a second. */
export async function step<T>(title: string, say: Say, work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  const seconds = () => `${((performance.now() - started) / 1000).toFixed(1)} s`
  let reported = false
  let timer = setTimeout(() => {
    reported = true
    say(`${title} …`)
    timer = setInterval(() => say(`  … ${title}, ${seconds()}`), reminderMilliseconds)
  }, quietMilliseconds)
  try {
    const result = await work()
    if (reported) say(`  done in ${seconds()}`)
    return result
  } finally {
    clearTimeout(timer)
  }
}
