// The script of every page. Each part adds to what works without it, and sends nothing about the
// reader anywhere.
import { watchContents } from './contents.ts'
import { watchCopying } from './copy-page.ts'
import { watchFeedback } from './feedback.ts'
import { showCurrentEntry, watchPopovers } from './navigation.ts'
import { watchSearchKeys } from './search-keys.ts'
import { watchTheme } from './theme.ts'

watchSearchKeys()
showCurrentEntry()
watchPopovers()
watchContents()
watchCopying()
watchFeedback()
// Last, because a browser that blocks storage throws.
watchTheme()
