// The note on a page after one of its forms was submitted. The form redirects to the page with
// `done` in the query.
import type { ConsoleCall } from './context.ts'

type Props = {
  readonly call: ConsoleCall
  /** The sentence for each value of `done`. */
  readonly said: Readonly<Record<string, string>>
}

/** Shows nothing above a refused form, because its URL has no query. */
export function DoneNote({ call, said }: Props) {
  const done = said[call.query.get('done') ?? '']
  return done === undefined ? null : (
    <p class="success" role="status">
      {done}
    </p>
  )
}
