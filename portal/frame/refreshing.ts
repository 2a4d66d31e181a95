// Parts of a page that refresh themselves in place, so the focus stays where it is.
import { everySeconds } from '#http/html/polling.ts'

/** For the element with this ID, which `path` has a newer version of. */
export const refreshing = (id: string, path: string, seconds: number) => ({
  'hx-get': path,
  ...everySeconds(seconds),
  'hx-select': `#${id}`,
  'hx-swap': 'outerMorph',
})
