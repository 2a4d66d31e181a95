// Every page's script. Pages also work without it. The only fact about the reader that it sends is
// the time zone, to the page of available times.
import { watchCode } from './code.ts'
import { watchContents } from './contents.ts'
import { watchCopying } from './copy-page.ts'
import { watchFeedback } from './feedback.ts'
import { watchFoundWords } from './found-words.ts'
import { offerSearch } from './model-context.ts'
import { showCurrentEntry, watchPopovers } from './navigation.ts'
import { watchSearchKeys } from './search-keys.ts'
import { watchTheme } from './theme.ts'
import { showOwnTimeZone } from './time-zone.ts'

watchSearchKeys()
watchFoundWords()
showCurrentEntry()
watchPopovers()
watchContents()
watchCopying()
watchFeedback()
showOwnTimeZone()
watchCode()
watchTheme()
offerSearch()
