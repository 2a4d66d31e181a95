// Shows the number of new items while someone reads a list, as a link, so the list stays in place
// until the reader clicks the link. The script requests the items after the newest one and takes
// their count.
import { everySeconds } from '#http/html/polling.ts'

type LiveNoteProps = {
  /** Null on pages that don't start with the newest item. */
  readonly since: string | null
  readonly newerCount: number
  readonly isCountCut: boolean
  readonly first: string
}

export const LiveNote = ({ since, newerCount, isCountCut, first }: LiveNoteProps) => (
  <>
    {since !== null && (
      <div
        class="live"
        role="status"
        hx-get={since}
        {...everySeconds(5)}
        hx-select=".live-count"
        hx-swap="innerMorph"
      />
    )}
    {newerCount > 0 && (
      <p class="live-count">
        <a href={first}>
          Show {newerCount}
          {isCountCut && '+'} new
        </a>
      </p>
    )}
  </>
)
