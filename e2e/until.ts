import { setTimeout as pause } from 'node:timers/promises'

/** Polls until a condition holds; the test's time limit ends the wait. */
export async function until(
  holds: () => Promise<boolean> | boolean,
  everyMilliseconds = 100,
): Promise<void> {
  while (!(await holds())) await pause(everyMilliseconds)
}
