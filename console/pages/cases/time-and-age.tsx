// When something happened, and how long ago. On the first day, a script keeps the age current.
import { dayMilliseconds, hourMilliseconds, minuteMilliseconds } from '#contract/moments.ts'
import { Time } from '#http/html/parts.tsx'

export const TimeAndAge = ({ at, now }: { readonly at: string; readonly now: number }) => (
  <>
    <Time at={at} />
    <div class="fine">
      <time datetime={at} data-format="ago" data-local="">
        {ageText(now - Date.parse(at))}
      </time>
    </div>
  </>
)

const relative = new Intl.RelativeTimeFormat('en-US', { numeric: 'always', style: 'short' })

function ageText(milliseconds: number): string {
  if (milliseconds >= dayMilliseconds)
    return relative.format(-Math.floor(milliseconds / dayMilliseconds), 'day')
  const hours = Math.floor(milliseconds / hourMilliseconds)
  if (hours > 0) return relative.format(-hours, 'hour')
  return relative.format(-Math.max(0, Math.floor(milliseconds / minuteMilliseconds)), 'minute')
}
