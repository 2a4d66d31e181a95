/** A command of an operator, which `admin.ts` runs. */
export type Command = {
  readonly help: string
  /** Returns the exit code, which is 2 after a `UsageFault`. */
  run(args: string[]): Promise<number>
  /** Without a word it does nothing, and prints its help. */
  readonly needsWords?: true
  /** The exit code after a failure; 1 unless it has its own meaning. */
  readonly failed?: number
}
