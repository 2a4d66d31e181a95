/** Polls a condition until it's true; the test's time limit ends the wait. */
export async function until(
  holds: () => Promise<boolean> | boolean,
  everyMilliseconds = 10,
): Promise<void> {
  while (!(await holds())) await Bun.sleep(everyMilliseconds)
}
