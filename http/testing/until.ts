/** A wait this long is named on standard error, so a test that times out shows where it hangs. */
const patienceMilliseconds = 30_000

/** Polls a condition until it's true; the test's time limit ends the wait. Wait for "at least", not
 *  for an exact count that a fast process can pass between two polls. */
export async function until(
  holds: () => Promise<boolean> | boolean,
  everyMilliseconds = 10,
): Promise<void> {
  const patience = setTimeout(() => {
    process.stderr.write(`still waiting after 30 s for: ${holds}\n${new Error().stack}\n`)
  }, patienceMilliseconds)
  try {
    while (!(await holds())) await Bun.sleep(everyMilliseconds)
  } finally {
    clearTimeout(patience)
  }
}
