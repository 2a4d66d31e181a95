// Finds a page's accessibility violations.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type axeCore from 'axe-core'
import { expect, type Frame, type Page } from '@playwright/test'

export const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** Rules whose result depends on colors, the only thing that dark mode changes. */
export const rulesOfColor = ['color-contrast', 'link-in-text-block']
/** Rules whose result also depends on the screen's width. */
export const rulesOfDrawing = [...rulesOfColor, 'scrollable-region-focusable']
const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
declare const axe: typeof axeCore

/**
 * The rules that the page or one of its frames breaks, with one example each, because a page of
 * code has hundreds. `rules` contains rules, or tags that stand for several rules, and `within` is
 * a selector.
 */
export async function brokenRules(
  page: Page,
  rules: readonly string[] = everyRule,
  within = 'html',
): Promise<string[]> {
  const found = await Promise.all(page.frames().map(frame => brokenIn(frame, rules, within)))
  return found.flat()
}

async function brokenIn(frame: Frame, rules: readonly string[], within: string): Promise<string[]> {
  // A document keeps the axe script, and a page is often checked at several widths.
  if (!(await frame.evaluate(() => 'axe' in globalThis))) await frame.evaluate(source)
  const { passed, broken } = await frame.evaluate(
    async ({ rules, within }) => {
      const { passes, violations } = await axe.run(within, {
        runOnly: rules,
        resultTypes: ['violations'],
        iframes: false,
        // A frame's heading may be on the page around it.
        rules: { 'page-has-heading-one': { enabled: window === window.top } },
      })
      const sentences = violations.map(
        ({ id, nodes }) => `${id}, ${nodes.length} times, as at ${nodes[0]?.target.join(' ')}`,
      )
      return { passed: passes.length, broken: sentences }
    },
    { rules: [...rules], within },
  )
  expect(passed, 'axe looked').toBeGreaterThan(0)
  return broken
}
