// The fields of each page: how much each takes, and where a person begins to type.
import { expect, test } from 'bun:test'
import { inviteMember } from '../accounts/members.ts'
import type { BrowsedPage } from '../testing/browser.ts'
import { linkTo } from '../testing/emails.ts'
import { usePages } from '../testing/pages.ts'
import { recoveriesOf } from '../testing/recoveries.ts'
import { enterPassword } from '../testing/sign-in.ts'

const setup = await usePages()
const { people, newBrowser, openMember, moveToNewNetwork } = setup
const { openRecovery, begun, pass } = recoveriesOf(setup)

const attributeOf = (tag: string, name: string) =>
  new RegExp(` ${name}(?:="([^"]*)")?(?=[ />])`, 'i').exec(tag)

/** The fields that are seen, such as `email 254 verbatim first`: `verbatim` is not checked for its
 *  spelling, and `first` has the focus. `alert`: a problem of the whole form. */
const fieldsOf = ({ text }: BrowsedPage) => [
  ...[...text.matchAll(/<input (?!type="hidden")[^>]+>/g)].map(([tag]) =>
    [
      attributeOf(tag, 'name')?.[1],
      attributeOf(tag, 'minlength')?.[1]?.concat(' to'),
      attributeOf(tag, 'maxlength')?.[1],
      attributeOf(tag, 'spellcheck')?.[1] === 'false' ? 'verbatim' : undefined,
      attributeOf(tag, 'readonly') ? 'read-only' : undefined,
      attributeOf(tag, 'autofocus') ? 'first' : undefined,
    ]
      .filter(Boolean)
      .join(' '),
  ),
  ...(text.includes('class="alert"') ? ['alert'] : []),
]

const newPassword = 'password 12 to 1000'

test('fields: those of a person who is not signed in', async () => {
  moveToNewNetwork()
  const browser = newBrowser()
  const at = async (path: string) => fieldsOf(await browser.get(path))
  expect(await at('/sign-in')).toEqual(['email 254 verbatim first', 'password 1000'])
  expect(await at('/sign-up')).toEqual(['email 254 verbatim first', 'name 200'])
  expect(await at('/recover')).toEqual(['email 254 verbatim first'])
})

test('fields: a refused sign-in goes on at the password, and one with a fault at the fault', async () => {
  moveToNewNetwork()
  const browser = newBrowser()
  await browser.get('/sign-in')
  const send = async (email: string, password: string) =>
    fieldsOf(await browser.submit('/sign-in', { email, password }))
  const atPassword = ['email 254 verbatim', 'password 1000 first']
  expect(await send('ada@example.com', 'wrong')).toEqual([...atPassword, 'alert'])
  expect(await send('ada@example.com', '')).toEqual(atPassword)
  expect(await send('ada', 'wrong')).toEqual(['email 254 verbatim first', 'password 1000'])
  expect(await send('', 'wrong')).toEqual(['email 254 verbatim first', 'password 1000'])
})

test('fields: those behind the links of emails', async () => {
  moveToNewNetwork()
  const browser = newBrowser()
  const email = 'newcomer@example.com'
  await browser.get('/sign-up')
  await browser.submit('/sign-up', { email, name: 'Ada' })
  const signUp = await browser.get(await linkTo(people, email, 'sign_up'))
  expect(fieldsOf(signUp)).toEqual(['email read-only', `${newPassword} first`])

  const { person, integration } = await openMember()
  const asked = { integration, email: 'invited@example.com', role: 'viewer' } as const
  const act = { surface: 'portal', request: 'req_invite', person: person.id } as const
  await people.pool.use(connection => inviteMember(connection, asked, act))
  const invited = await browser.get(await linkTo(people, asked.email, 'invitation'))
  expect(fieldsOf(invited)).toEqual(['name 200 first', newPassword])

  const { browser: recovering } = await openRecovery(person)
  expect(fieldsOf(recovering.page)).toEqual(['code 30 verbatim', newPassword])
  const other = await people.addPerson()
  const recovery = await begun(other)
  await pass(other, 24)
  const after = await recovery.browser.get(recovery.link)
  expect(fieldsOf(after)).toEqual([`${newPassword} first`])
})

test('fields: those of a person who is signed in', async () => {
  const { person, browser } = await openMember()
  await enterPassword(browser, person)
  const at = async (path: string) => fieldsOf(await browser.get(path))
  expect(fieldsOf(browser.page)).toEqual(['code 9 verbatim first'])
  expect(await at('/sign-in/recovery-code')).toEqual(['code 30 verbatim first'])
  await browser.get('/sign-in/code')
  await browser.submit('/sign-in/code', { code: people.clock.nextCode(person) })
  expect(await at('/second-factor')).toEqual(['code 9 verbatim'])
  const wrong = await browser.submit('/second-factor', { code: '000000' })
  expect(fieldsOf(wrong)).toEqual(['code 9 verbatim first'])
  expect(await at('/passkeys')).toEqual(['name 100'])
  expect(await at('/password')).toEqual(['current 1000 first', newPassword])
  expect(await at('/account/close')).toEqual(['email first'])
  expect(await at('/device')).toEqual(['user_code 20 verbatim first'])
})
