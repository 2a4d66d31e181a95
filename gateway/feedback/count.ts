// Counts for “Was this page helpful?” by page, day and answer. No row represents a single answer.
import type { feedbackAnswers } from '#contract/limits.ts'
import type { ConnectionPool, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'

export type FeedbackAnswer = (typeof feedbackAnswers)[number]

export type FeedbackCount = (page: string, answer: FeedbackAnswer) => Promise<void>

export const countFeedback =
  (pool: ConnectionPool): FeedbackCount =>
  async (page, answer) => {
    await pool.use(connection =>
      connection.run(sql`
        insert into site.page_feedback as had (page, day, answer)
        values (${page}, (clock_timestamp() at time zone 'UTC')::date, ${answer})
            on conflict (page, day, answer) do update set count = had.count + 1`),
    )
  }

export type PageFeedback = Row & { page: string; yes: number } & Record<
    Exclude<FeedbackAnswer, 'yes'>,
    number
  >

/** Recent answers by page, least helpful page first. */
export const feedbackSince = (days: number) => sql`
  select page,
         coalesce(sum(count) filter (where answer = 'yes'), 0)::int as yes,
         coalesce(sum(count) filter (where answer = 'missing'), 0)::int as missing,
         coalesce(sum(count) filter (where answer = 'unclear'), 0)::int as unclear,
         coalesce(sum(count) filter (where answer = 'wrong'), 0)::int as wrong,
         coalesce(sum(count) filter (where answer = 'other'), 0)::int as other
    from site.page_feedback
   where day > (clock_timestamp() at time zone 'UTC')::date - ${days}::int
   group by page
   order by sum(count) filter (where answer <> 'yes') desc nulls last, page`
