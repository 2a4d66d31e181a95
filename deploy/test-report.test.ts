import { describe, expect, test } from 'bun:test'
import path from 'node:path'

type Report = {
  countsOf(xml: string): { passed: number; failed: number; skipped: number }
  failuresOf(xml: string): string[]
}
const { countsOf, failuresOf }: Report = await import(path.join(import.meta.dir, 'test-report.mjs'))

const bun = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="bun test" tests="4" assertions="1" failures="2" skipped="1" time="0.08">
  <testsuite name="a.test.ts" file="a.test.ts" tests="4" failures="2" skipped="1">
    <testcase name="passes" classname="" time="0.1" file="a.test.ts" line="1" assertions="1" />
    <testcase name="a &amp; &quot;b&quot; &lt;c&gt;" classname="group" file="a.test.ts" line="2">
      <failure type="AssertionError" message="-">Error: expect(received)&#10;&#10;- Expected&#10;</failure>
    </testcase>
    <testcase name="late" classname="" time="0.1" file="a.test.ts" line="3" assertions="0">
      <failure type="TimeoutError" message="test timed out" />
    </testcase>
    <testcase name="left out" classname="" time="0" file="a.test.ts" line="4"><skipped /></testcase>
  </testsuite>
</testsuites>`

const playwright = `<testsuites id="" tests="2" failures="1" skipped="0" errors="0">
<testsuite name="site.spec.ts" tests="2" failures="1" skipped="0" errors="0">
<testcase name="fits" classname="site.spec.ts" time="1.2">
</testcase>
<testcase name="every page fits" classname="site.spec.ts" time="1.9">
<failure message="site.spec.ts:12:3 every page fits" type="FAILURE">
<![CDATA[  site.spec.ts:12:3 › every page fits

    Error: expect(width).toBe(390) & more
]]>
</failure>
</testcase>
</testsuite>
</testsuites>`

describe('test report', () => {
  test('tests are counted by outcome', () => {
    expect(countsOf(bun)).toEqual({ passed: 1, failed: 2, skipped: 1 })
    expect(countsOf(playwright)).toEqual({ passed: 1, failed: 1, skipped: 0 })
    expect(countsOf('')).toEqual({ passed: 0, failed: 0, skipped: 0 })
  })
  test('each failure has its file, title and reason', () => {
    expect(failuresOf(bun)).toEqual([
      'a.test.ts:2 > group > a & "b" <c>\n  Error: expect(received)\n  \n  - Expected',
      'a.test.ts:3 > late\n  test timed out',
    ])
    expect(failuresOf(playwright)).toEqual([
      'site.spec.ts > every page fits\n  site.spec.ts:12:3 › every page fits\n  \n' +
        '      Error: expect(width).toBe(390) & more',
    ])
  })
})
