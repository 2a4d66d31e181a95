// A list that is read page by page, newest first. A cursor names the last item that was seen by its
// day and its slug, so a page goes on from there although items came or went in between.
import { listLimits } from '#contract/content.ts'
import type { PagedList } from '#mcp/tools/content-tools.ts'

type Placed = { readonly slug: string; readonly published: string }

export function createPagedList<Stored extends Placed, Summary, Whole>({
  stored,
  summary,
  tagsOf,
  whole,
}: {
  readonly stored: readonly Stored[]
  summary(stored: Stored): Summary
  tagsOf(stored: Stored): readonly string[]
  whole(stored: Stored): Whole
}): PagedList<Summary, Whole> {
  const all = stored.toSorted(newestFirst)
  const bySlug = new Map(all.map(each => [each.slug, each]))
  const placeOf = new Map(all.map((each, at) => [cursorOf(each), at]))
  /** Mostly the item is still where it was seen; else the place where it would stand is found. */
  const startAfter = (seen: Placed): number => {
    const place = placeOf.get(cursorOf(seen))
    if (place !== undefined) return place + 1
    const next = all.findIndex(each => newestFirst(seen, each) < 0)
    return next < 0 ? all.length : next
  }
  return {
    slugs: all.map(({ slug }) => slug),
    page({ limit = listLimits.default, cursor, tag }) {
      const after = cursor === undefined ? undefined : placeFrom(cursor)
      if (cursor !== undefined && after === undefined) return undefined
      const later = after === undefined ? all : all.slice(startAfter(after))
      const rest = tag === undefined ? later : later.filter(each => tagsOf(each).includes(tag))
      const page = rest.slice(0, limit)
      const last = page.at(-1)
      const next = rest.length > page.length && last !== undefined ? cursorOf(last) : null
      return { items: page.map(summary), next_cursor: next }
    },
    get(slug) {
      const found = bySlug.get(slug)
      return found && whole(found)
    },
  }
}

/** As the blog lists them: two of one day stand in the order of their slugs. */
const newestFirst = (one: Placed, other: Placed): number =>
  other.published.localeCompare(one.published) || one.slug.localeCompare(other.slug)

const cursorOf = ({ published, slug }: Placed): string =>
  Buffer.from(`${published} ${slug}`).toString('base64url')

/** Only what `cursorOf` could have written is a cursor: the same place has one spelling. */
function placeFrom(cursor: string): Placed | undefined {
  const text = Buffer.from(cursor, 'base64url').toString()
  const [, published, slug] = /^(\d{4}-\d\d-\d\d) ([a-z0-9-]+)$/.exec(text) ?? []
  if (published === undefined || slug === undefined) return undefined
  return cursorOf({ published, slug }) === cursor ? { published, slug } : undefined
}
