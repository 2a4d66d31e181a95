// The decision forms: a message that arrived after the page was opened.
import { expect, test } from 'bun:test'
import { invokeOk, queuedCase, rivera } from '#clinical/testing/call.ts'
import { useConsolePages } from '../../testing/console.ts'
import { submitWhole } from '../../testing/submit-whole.ts'

const pages = useConsolePages()
const states = [rivera.address.state]
const live = () => pages.fixtures.ada.live

test('a message that arrived after the page was opened is shown before a decision', async () => {
  const { id } = await queuedCase(pages.fixtures, live())
  const { browser, home } = await pages.signIn({ states })
  const path = `${home}/cases/${id}`
  const readIn = (text: string) =>
    [...text.matchAll(/name="last_message" value="([^"]*)" form="(\w+)-form"/g)].map(
      ([, value, form]) => [form, value],
    )
  expect(readIn((await browser.get(path)).text)).toEqual([
    ['approve', 'none'],
    ['decline', 'none'],
  ])
  const body = { body: 'I am allergic to it.' }
  const { id: message } = await invokeOk(pages.fixtures, 'createMessage', { as: live(), id, body })
  const refused = await submitWhole(browser, `${path}/approve`, { last_message: 'none' })
  expect(refused.status).toBe(409)
  expect(refused.text).toContain('A new message arrived')
  expect(refused.text).toContain(body.body)
  expect(readIn(refused.text)[0]).toEqual(['approve', message])
  await submitWhole(browser, `${path}/approve`, { last_message: message })
  expect(browser.page.text).toContain('Plan signed.')
  expect(pages.failures).toEqual([])
})
