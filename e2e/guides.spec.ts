// Runs each guide but `sdks`, which packs and installs the libraries (sdks.spec.ts).
import { test } from '@playwright/test'
import { testGuide } from './guides/test.ts'
import { firstGuides, type Guide, guides } from './guides/run.ts'

const isFirst = ({ slug }: Guide) => firstGuides.includes(slug)
test.describe('a newcomer', () => {
  // The guides share a folder, so they run in sequence.
  test.describe.configure({ mode: 'default' })
  for (const guide of guides().filter(isFirst)) testGuide(guide, process.env)
})
for (const guide of guides()) {
  if (!isFirst(guide) && guide.slug !== 'sdks') testGuide(guide, process.env)
}
