// Marks the current section in the table of contents.

/** A heading counts as reached when it is this many pixels below the window's top. */
const reachedAt = 160

export function watchContents(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('#contents a')]
  const sections = links.flatMap(link => {
    const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)))
    return heading ? [{ link, heading }] : []
  })
  if (sections.length === 0) return
  const mark = () => {
    const { scrollHeight } = document.documentElement
    const isAtEnd = scrollY > 0 && scrollY + innerHeight >= scrollHeight - 2
    const reached = sections.filter(
      ({ heading }) => heading.getBoundingClientRect().top <= reachedAt,
    )
    const current = (isAtEnd ? sections : reached).at(-1)
    for (const { link } of sections) {
      if (link === current?.link) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
    }
  }
  let isWaiting = false
  const markSoon = () => {
    if (isWaiting) return
    isWaiting = true
    requestAnimationFrame(() => {
      isWaiting = false
      mark()
    })
  }
  window.addEventListener('scroll', markSoon, { passive: true })
  window.addEventListener('resize', markSoon)
  mark()
}
