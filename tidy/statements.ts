// Rules about SQL.
import type { Rule } from './files.ts'

/** A plan may read such a subquery again and again, and picks other rows each time; one that is
 *  materialized, of an array or a scalar is read once. */
export const ruleOfPicking: Rule = {
  name: 'picking: a subquery that locks so many rows and no more is read once',
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

/** Behind `order by`: its keys, to where the next clause begins. */
function keysAt(text: string, start: number): { keys: string; rest: string } {
  const next = /^(`|\)|(limit|offset|rows|fetch|on conflict|for (no key )?(update|share))\b)/
  let open = 0
  let at = start
  for (; at < text.length; at++) {
    if (open === 0 && next.test(text.slice(at, at + 20))) break
    open += { '(': 1, '{': 1, ')': -1, '}': -1 }[text[at] ?? ''] ?? 0
  }
  return { keys: text.slice(start, at).trim(), rest: text.slice(at) }
}

/** What several rows can have in common: a time, a name, a number of something. */
const shared =
  /(_(at|on|from)|\b(due|time|name|title|email|count|cases)|(?<!\bid)\))"?( desc| asc)?$/

/** Whoever takes work does not show its order to anyone, and an index gives it without a sort. */
const takesWork = /^limit\b[^;()]*\bskip locked\b/

export const ruleOfOrders: Rule = {
  name: 'orders: a list has one order; rows of one moment or name are ordered by their id',
  check({ path: name, text }) {
    if (!/\.tsx?$/.test(name) || name.startsWith('tidy/')) return []
    return [...text.matchAll(/(?<!\bmigrations )\border by\s(?!hand|itself)/g)].flatMap(
      ({ index, 0: found }) => {
        const { keys, rest } = keysAt(text, index + found.length)
        if (
          !shared.test(keys.replace(/ collate "C"|( nulls (first|last))$/g, '')) ||
          takesWork.test(rest)
        )
          return []
        const line = text.slice(0, index).split('\n').length
        return [`${name}:${line} "order by ${keys}": add the id as the last key`]
      },
    )
  },
}
