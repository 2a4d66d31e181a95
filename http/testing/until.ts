/** Waits for what happens, however slow the machine is; what never does ends with its test. */
export async function until(
  holds: () => Promise<boolean> | boolean,
  everyMilliseconds = 10,
): Promise<void> {
  while (!(await holds())) await Bun.sleep(everyMilliseconds)
}
