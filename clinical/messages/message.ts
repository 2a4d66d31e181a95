import { sql } from '#database/sql.ts'

export const messageColumns = sql`
  id, status, "case", kind, author, target, body, iso(created_at) as created_at`

export const messageBodyMax = 5000

/** A text cut to a number of code points, with an ellipsis at the end. */
export function shorten(text: string, codePointsMax: number): string {
  const points = [...text]
  return points.length <= codePointsMax ? text : `${points.slice(0, codePointsMax - 1).join('')}…`
}
