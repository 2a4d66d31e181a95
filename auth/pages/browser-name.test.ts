import { expect, test } from 'bun:test'
import { browserNameOf } from './browser-name.ts'

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X)'
const blink = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'

test.each([
  [`${windows} ${blink} Chrome/143.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [`${windows} ${blink} Chrome/143.0.0.0 Safari/537.36 Edg/143.0.0.0`, 'Edge on Windows'],
  [`${mac} ${blink} Chrome/143.0.0.0 Safari/537.36 OPR/125.0.0.0`, 'Opera on macOS'],
  [`${mac} ${webKit} Version/18.1 Safari/605.1.15`, 'Safari on macOS'],
  [`${iPhone} ${webKit} Version/18.1 Mobile/15E148 Safari/604.1`, 'Safari on iPhone'],
  [`${iPhone} ${webKit} CriOS/143.0.0.0 Mobile/15E148 Safari/604.1`, 'Chrome on iPhone'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
  ['Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0', 'Firefox on Android'],
  ['Firefox/145.0', 'Firefox'],
  ['Mozilla/5.0 (X11; CrOS x86_64 14541.0.0)', 'A browser on ChromeOS'],
  ['curl/8.11.0', 'A browser'],
  ['', 'A browser'],
  [null, 'A browser'],
])('browser name: of %p is %p', (agent, name) => expect(browserNameOf(agent)).toBe(name))
