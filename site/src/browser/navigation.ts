// Improves the sidebar and the menus, which also work without this script.

/** Scrolls the list of pages, not the page itself, if this page's entry is out of sight. */
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

/** Closes a popover when the reader follows one of its links, even to this page. */
export function watchPopovers(): void {
  for (const popover of document.querySelectorAll<HTMLElement>('[popover]')) {
    popover.addEventListener('click', ({ target }) => {
      const isLink = target instanceof Element && target.closest('a') !== null
      if (isLink && popover.matches(':popover-open')) popover.hidePopover()
    })
  }
}
