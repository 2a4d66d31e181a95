// The sidebar and the menus, which work without this script.

/** If this page's entry is out of sight, scrolls the list of pages rather than the page. */
export function showCurrentEntry(): void {
  const sidebar = document.getElementById('sidebar')
  const pages = sidebar?.querySelector('.sidebar-pages')
  const show = () => {
    const entry = pages?.querySelector('li [aria-current=page]')
    if (!pages || !entry) return
    const [outer, inner] = [pages.getBoundingClientRect(), entry.getBoundingClientRect()]
    const isInSight = inner.top >= outer.top && inner.bottom <= outer.bottom
    if (!isInSight) pages.scrollTop += inner.top - outer.top - outer.height / 2
  }
  show()
  sidebar?.addEventListener('toggle', show)
}

/** A popover's link leads within this page or to another: the popover closes in either case. */
export function watchPopovers(): void {
  for (const popover of document.querySelectorAll<HTMLElement>('[popover]')) {
    popover.addEventListener('click', ({ target }) => {
      const isLink = target instanceof Element && target.closest('a') !== null
      if (isLink && popover.matches(':popover-open')) popover.hidePopover()
    })
  }
}
