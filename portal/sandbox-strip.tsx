// Shows how far the sandbox is ahead of real time, in a strip at the top of every test-mode page.
import { dayMilliseconds, hourMilliseconds } from '#contract/moments.ts'
import type { MemberCall } from './context.ts'

const units = [
  [dayMilliseconds, 'day'],
  [hourMilliseconds, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
] as const

const stepMs = 5 * 60_000

/** A span's two largest units: 3 days 2 hours. An hour or more is rounded to five minutes, because
 *  advancing by a day takes several seconds. */
export function spanText(milliseconds: number): string {
  const isLong = milliseconds >= hourMilliseconds - stepMs / 2
  let rest = isLong ? Math.round(milliseconds / stepMs) * stepMs : milliseconds
  const parts = units.map(([size, unit]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return [count, unit] as const
  })
  const shown = parts.filter(([count]) => count > 0).slice(0, 2)
  return shown.map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`).join(' ')
}

/** `data-ahead-ms`: where the script starts counting the ages of sandbox timestamps. */
export const SandboxStrip = ({ call }: { call: MemberCall }) => {
  const { aheadMs } = call
  return (
    <aside class="strip" id="sandbox-strip" aria-label="Sandbox" data-ahead-ms={aheadMs}>
      <strong>Test mode</strong>
      {aheadMs >= 1000 && (
        <span>
          Sandbox clock: {spanText(aheadMs)} ahead
          {call.mayOpen('resetSandbox') && (
            <>
              {' · '}
              <a href={`${call.pathOf('sandbox')}#reset`}>Reset</a>
            </>
          )}
        </span>
      )}
    </aside>
  )
}
