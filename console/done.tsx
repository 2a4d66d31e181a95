// The note on a page after one of its forms was submitted. The form leads to the page with `done`
// in the query.
import type { ConsoleCall } from './context.ts'

type Props = {
  readonly call: ConsoleCall
  /** The sentence of each value of `done`. */
  readonly said: Readonly<Record<string, string>>
}

/** Nothing above a form that was refused: its address has no query. */
export function DoneNote({ call, said }: Props) {
  const done = said[call.query.get('done') ?? '']
  return done === undefined ? null : (
    <p class="success" role="status">
      {done}
    </p>
  )
}
