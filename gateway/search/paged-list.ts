// A paginated list, newest first. A cursor contains the date and slug of a page's last item, so the
// next page continues there even if items were added or removed since. A cursor ends with a
// checksum that includes the list's name, so a list refuses other lists' cursors. The checksum has
// no secret, because a cursor doesn't protect anything.
import { listLimits } from '#contract/content.ts'
import type { PagedList } from '#mcp/tools/content-tools.ts'

type ListItem = { readonly slug: string; readonly published: string }

export function createPagedList<Stored extends ListItem, Summary, Whole>({
  name,
  stored,
  summary,
  tagsOf,
  whole,
}: {
  /** Cursors include this name, so other lists refuse them. */
  readonly name: string
  readonly stored: readonly Stored[]
  summary(stored: Stored): Summary
  tagsOf(stored: Stored): readonly string[]
  whole(stored: Stored): Whole
}): PagedList<Summary, Whole> {
  const all = stored.toSorted(newestFirst)
  const bySlug = new Map(all.map(each => [each.slug, each]))
  const placeOf = new Map(all.map((each, at) => [cursorOf(name, each), at]))
  /** Usually the item still exists. If not, continues at its former position. */
  const startAfter = (seen: ListItem): number => {
    const place = placeOf.get(cursorOf(name, seen))
    if (place !== undefined) return place + 1
    const next = all.findIndex(each => newestFirst(seen, each) < 0)
    return next < 0 ? all.length : next
  }
  return {
    slugs: all.map(({ slug }) => slug),
    page({ limit = listLimits.default, cursor, tag }) {
      const after = cursor === undefined ? undefined : placeFrom(name, cursor)
      if (cursor !== undefined && after === undefined) return undefined
      const later = after === undefined ? all : all.slice(startAfter(after))
      const rest = tag === undefined ? later : later.filter(each => tagsOf(each).includes(tag))
      const page = rest.slice(0, limit)
      const last = page.at(-1)
      const next = rest.length > page.length && last !== undefined ? cursorOf(name, last) : null
      return { items: page.map(summary), next_cursor: next }
    },
    get(slug) {
      const found = bySlug.get(slug)
      return found && whole(found)
    },
  }
}

/** The blog's order: by date, and by slug within a day. */
const newestFirst = (one: ListItem, other: ListItem): number =>
  other.published.localeCompare(one.published) || one.slug.localeCompare(other.slug)

function cursorOf(list: string, { published, slug }: ListItem): string {
  const checksum = Bun.SHA256.hash(`${list} ${published} ${slug}`, 'hex').slice(0, 12)
  return Buffer.from(`${published} ${slug} ${checksum}`).toString('base64url')
}

/** Accepts only text that `cursorOf` can produce, so each position has one cursor. */
function placeFrom(list: string, cursor: string): ListItem | undefined {
  const text = Buffer.from(cursor, 'base64url').toString()
  const [, published, slug] = /^(\d{4}-\d\d-\d\d) ([a-z0-9-]+) [0-9a-f]{12}$/.exec(text) ?? []
  if (published === undefined || slug === undefined) return undefined
  return cursorOf(list, { published, slug }) === cursor ? { published, slug } : undefined
}
