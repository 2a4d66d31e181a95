// Rules about SQL.
import type { Rule } from './files.ts'

/**
 * A subquery that locks a limited number of rows must be a materialized CTE, an array or a scalar
 * subquery, each of which runs only once. A plan may run any other subquery repeatedly, and pick
 * different rows each time.
 */
export const ruleOfPicking: Rule = {
  name: 'picking: a subquery that locks a limited number of rows is read once',
  check({ path: name, text }) {
    if (!/\.(tsx?|sql)$/.test(name) || name.startsWith('tidy/')) return []
    return [...text.matchAll(/\blimit\b[^;()]*\bskip locked\b/g)].flatMap(({ index }) => {
      const before = text.slice(text.lastIndexOf(';', index) + 1, index)
      let open = 0
      let at = before.length
      while (at > 0 && open < 1) open += { '(': 1, ')': -1 }[before[--at] ?? ''] ?? 0
      if (open < 1 || /(\barray|\bmaterialized|=)\s*$/.test(before.slice(0, at))) return []
      return [`${name} write "= any (array(select …))", or "with picked as materialized (…)"`]
    })
  },
}

/** Given the text after `order by`: the last key, up to the next clause, and the rest of the
 *  text. */
function lastKeyAt(text: string, start: number): { key: string; rest: string } {
  const next = /^(`|\)|;|(limit|offset|rows|fetch|loop|on conflict|for (no key )?(update|share))\b)/
  let open = 0
  let [from, at] = [start, start]
  for (; at < text.length; at++) {
    if (open === 0 && next.test(text.slice(at, at + 20))) break
    open += { '(': 1, '{': 1, ')': -1, '}': -1 }[text[at] ?? ''] ?? 0
    if (open === 0 && text[at] === ',') from = at + 1
  }
  return { key: text.slice(from, at).trim(), rest: text.slice(at) }
}

/** Columns that can have the same value in several rows: a time, a name, a count. */
const shared =
  /(_(at|on|from)|\b(due|time|name|title|email|count|cases))"?$|^(min|max|sum|count|coalesce)\((?!.*\bid\)$)/

/**
 * Whether a query only claims work: it selects row locations or locks rows. The order of these rows
 * isn't visible, and an index returns the rows without a sort.
 */
const takesWork = (before: string, rest: string) =>
  /^select (\w+\.)?ctid\b/.test(before.slice(before.lastIndexOf('select'))) ||
  /^limit\b[^;()]*\bskip locked\b/.test(rest)

export const ruleOfOrders: Rule = {
  name: 'orders: a list has one order; rows with the same time or name are ordered by ID',
  check({ path: name, text }) {
    if (!/\.(tsx?|sql)$/.test(name) || name.startsWith('tidy/')) return []
    return [...text.matchAll(/(?<!\bmigrations )\border by\s(?!hand|itself)/g)].flatMap(
      ({ index, 0: found }) => {
        const { key, rest } = lastKeyAt(text, index + found.length)
        const column = key.replace(/( collate "C")?( desc| asc)?( nulls (first|last))?$/, '')
        if (!shared.test(column) || takesWork(text.slice(0, index), rest)) return []
        const line = text.slice(0, index).split('\n').length
        return [`${name}:${line} "order by … ${key}": add the id as the last key`]
      },
    )
  },
}
