// Submits a form in tests the way a browser does, with every field it shows.
import type { TestBrowser } from '#auth/testing/browser.ts'

/** Changes fields in the current page's form and submits all of them, as a browser does. */
export function submitWhole(
  browser: TestBrowser,
  path: string,
  values: Record<string, string> = {},
) {
  const form = browser.page.text.split('<form ').find(text => text.includes(`action="${path}"`))
  const fields: Record<string, string> = {}
  for (const [, text = ''] of (form ?? '').matchAll(/<input ([^>]*)>/g)) {
    const [, name = ''] = / ?name="([^"]*)"/.exec(text) ?? []
    const [, value = ''] = / value="([^"]*)"/.exec(text) ?? []
    if (!/type="checkbox"/.test(text) || / checked/.test(text)) fields[name] = value
  }
  for (const [, name = '', options = ''] of (form ?? '').matchAll(
    /<select [^>]*name="([^"]*)"[^>]*>(.*?)<\/select>/gs,
  )) {
    fields[name] =
      /<option(?: selected)? value="([^"]*)" selected|<option selected value="([^"]*)"/
        .exec(options)
        ?.slice(1)
        .find(Boolean) ?? ''
  }
  return browser.submit(path, { ...fields, ...values })
}
