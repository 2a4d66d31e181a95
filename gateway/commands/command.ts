/** An operator command, run by `admin.ts`. */
export type Command = {
  readonly help: string
  /** Returns the exit code: 2 after a `UsageFault`. */
  run(args: string[]): Promise<number>
  /** Without a subcommand, the command only prints its help. */
  readonly needsWords?: true
  /** The exit code after a failure: 1, unless the command uses 1 for something else. */
  readonly failed?: number
}
