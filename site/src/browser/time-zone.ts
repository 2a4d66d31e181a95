// Shows a call's times in the visitor's own time zone. Without this script, pages show the
// company's time zone and name it.

const own = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Reloads the page of available times in the visitor's own zone, unless a zone was chosen. */
function showOwnTimes(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-zone]')
  const url = new URL(location.href)
  // A zone that the server doesn't know would reload the page repeatedly.
  if (!form || form.dataset['zone'] === own || url.searchParams.has('timezone')) return
  url.searchParams.set('timezone', own)
  location.replace(url)
}

/** Adds the visitor's own time to a call shown in another time zone. */
function addOwnTime(): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>('.booking-when time[data-zone]')) {
    const moment = new Date(time.dateTime)
    const inZone = (timeZone: string | undefined, options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat('en-US', { timeZone, ...options }).format(moment)
    const clock = { day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
    if (inZone(time.dataset['zone'], clock) === inZone(own, clock)) continue
    const line = document.createElement('span')
    line.className = 'fine'
    const text = inZone(own, {
      weekday: 'long',
      hour: 'numeric',
      minute: '2-digit',
      timeZoneName: 'short',
    })
    line.textContent = `Your time: ${text}`
    time.after(line)
  }
}

export function showOwnTimeZone(): void {
  showOwnTimes()
  addOwnTime()
  // Adds the time zone to links to the page of available times, so the page loads only once.
  document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest('a[href="/booking/times"]') : null
    link?.setAttribute('href', `/booking/times?timezone=${encodeURIComponent(own)}`)
  })
}
