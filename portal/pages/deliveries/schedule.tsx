// A delivery’s retry schedule as a timeline: past attempts, the next one and later ones. Distances
// aren’t to scale, because waits grow from a minute to a day.
import { limits } from '#contract/limits.ts'
import type { VNode } from 'preact'
import type { Delivery } from '../webhooks/deliveries.tsx'
import { outcomeText, waitText } from '../webhooks/delivery-words.ts'

const waits = limits.webhookRetrySeconds
const step = 100
const middle = 20

type Mark = 'good' | 'bad' | 'waiting' | 'plain'

/** An attempt's result, by its position in the schedule. */
function markOf({ status, attempts, attempt }: Delivery, at: number): Mark {
  const made = attempts.find(one => one.attempt === at + 1)
  if (made !== undefined) return isAccepted(made) ? 'good' : 'bad'
  // Old deliveries may have no stored attempts.
  if (at < attempt) return 'bad'
  return status === 'pending' && at === attempt ? 'waiting' : 'plain'
}

export const isAccepted = ({ http_status: status }: { http_status: number | null }) =>
  status !== null && status >= 200 && status < 300

const words = { good: 'delivered', bad: 'failed', waiting: 'next', plain: 'not needed' } as const

export function Schedule({ delivery }: { delivery: Delivery }) {
  const marks = waits.map((_, at) => markOf(delivery, at))
  const isOver = delivery.status !== 'pending'
  const texts = marks.map((mark, at) => {
    const made = delivery.attempts.find(one => one.attempt === at + 1)
    const what = made ? outcomeText(made.http_status, made.error) : isOver ? '' : 'upcoming'
    return `Attempt ${at + 1}, ${afterText(at)}: ${mark === 'plain' && !isOver ? what : [words[mark], what].filter(Boolean).join(', ')}`
  })
  return (
    <figure class="schedule">
      <svg viewBox={`0 0 ${waits.length * step} 40`} role="img" aria-label={texts.join('. ')}>
        <line x1={step / 2} x2={(waits.length - 0.5) * step} y1={middle} y2={middle} />
        {marks.map((mark, at) => (
          <g key={texts[at]} class={mark}>
            <title>{texts[at]}</title>
            {shapes[mark](at * step + step / 2)}
          </g>
        ))}
      </svg>
      <ol aria-hidden="true">
        {waits.map((seconds, at) => (
          <li key={at} class={marks[at]}>
            {at === 0 ? 'now' : <Wait text={waitText(seconds)} />}
          </li>
        ))}
      </ol>
    </figure>
  )
}

/** “+30 min”, or “30m” on a phone. */
function Wait({ text }: { text: string }) {
  const [count, unit = ''] = text.split(' ')
  const ifWide = (part: string) => <span class="if-wide">{part}</span>
  return (
    <>
      {ifWide('+')}
      {count}
      {ifWide(' ')}
      {unit.charAt(0)}
      {ifWide(unit.slice(1))}
    </>
  )
}

const afterText = (at: number) =>
  at === 0 ? 'immediately' : `${waitText(waits[at] ?? 0)} after the previous one`

/** Each status has its own shape as well as its color. */
const shapes: Readonly<Record<Mark, (x: number) => VNode>> = {
  good: x => <circle cx={x} cy={middle} r={11} />,
  bad: x => <path d={`M${x - 10} ${middle - 10}h20v20h-20z`} />,
  waiting: x => <circle cx={x} cy={middle} r={10} />,
  plain: x => <circle cx={x} cy={middle} r={5} />,
}
