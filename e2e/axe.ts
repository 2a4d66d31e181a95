// What is wrong with a page for people who use it in another way than by sight and mouse.
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * The rules that the page breaks, each with one place: a page of code has hundreds. `rules` are
 * rules, or tags that name many; `within` is a selector; `frames` are judged with their page.
 */
export async function brokenRules(
  page: Page,
  rules: readonly string[] = everyRule,
  within = 'html',
  frames = false,
): Promise<string[]> {
  // Legacy mode is right for pages without frames of other origins: without it each result is put
  // together in a second page. With it, and without lists of what passed, axe takes a third of the
  // time.
  const { passes, violations } = await new AxeBuilder({ page })
    .setLegacyMode(!frames)
    .include(within)
    .options({ runOnly: [...rules], resultTypes: ['violations'] })
    .analyze()
  expect(passes.length, 'axe looked').toBeGreaterThan(0)
  return violations.map(
    ({ id, nodes }) => `${id}, ${nodes.length} times, as at ${nodes[0]?.target.join(' ')}`,
  )
}
