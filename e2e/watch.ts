// Records errors while a browser shows a page.
import type { Page } from '@playwright/test'
import { missingPage } from './servers.ts'

/** A page's errors, collected as they happen. */
export function watch(page: Page, origin: string, path: string): string[] {
  const faults: string[] = []
  page.on('console', message => {
    // A browser also reports the page's own status, which is expected here.
    const isOwn = path === missingPage && message.location().url === origin + missingPage
    if (message.type() !== 'log' && !isOwn) faults.push(`console: ${message.text()}`)
  })
  page.on('pageerror', error => faults.push(`script: ${error.message}`))
  page.on('requestfailed', request => {
    // A browser cancels one page's pending loads when the next is opened.
    const reason = request.failure()?.errorText ?? ''
    if (reason !== 'net::ERR_ABORTED') faults.push(`failed: ${request.url()} (${reason})`)
  })
  page.on('request', request => {
    if (new URL(request.url()).origin !== origin) faults.push(`another host: ${request.url()}`)
  })
  page.on('response', response => {
    const isOwn = response.url() === origin + missingPage
    if (response.status() >= 400 && !isOwn) faults.push(`${response.status()}: ${response.url()}`)
  })
  return faults
}
