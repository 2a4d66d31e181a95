// The sidebar and the menus, which work without this script.

/** Scrolls the sidebar, and not the page, where the entry of this page is not in sight. */
export function showCurrentEntry(): void {
  const sidebar = document.getElementById('sidebar')
  const show = () => {
    const entry = sidebar?.querySelector('li [aria-current=page]')
    if (!sidebar || !entry) return
    const [outer, inner] = [sidebar.getBoundingClientRect(), entry.getBoundingClientRect()]
    const isInSight = inner.top >= outer.top && inner.bottom <= outer.bottom
    if (!isInSight) sidebar.scrollTop += inner.top - outer.top - outer.height / 2
  }
  show()
  sidebar?.addEventListener('toggle', show)
}

/** A link of a popover leads within this page or to another: either way it has done its work. */
export function watchPopovers(): void {
  for (const popover of document.querySelectorAll<HTMLElement>('[popover]')) {
    popover.addEventListener('click', ({ target }) => {
      const isLink = target instanceof Element && target.closest('a') !== null
      if (isLink && popover.matches(':popover-open')) popover.hidePopover()
    })
  }
}
