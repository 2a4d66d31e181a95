// Setup for page tests: people, the pages on a port, and members with a browser.
import { afterAll, expect } from 'bun:test'
import { openBrowser, type TestBrowser } from './browser.ts'
import { openPeople, openTestPages } from './people.ts'
import { signIn } from './sign-in.ts'

/** Opens the pages for a file's tests, and closes them afterward. Fails if a page logged
 *  a failure. */
export async function usePages() {
  const people = await openPeople()
  const pages = await openTestPages(people)
  afterAll(async () => {
    await pages.close()
    await people.close()
    expect(pages.failures).toEqual([])
  })
  let networks = 0
  /** Moves callers to another network, because wrong codes count per network. */
  const moveToNewNetwork = () => {
    pages.caller.address = `198.51.100.${++networks}`
  }
  /** An integration's member, in their own network. */
  const openMember = async (role = 'owner') => {
    moveToNewNetwork()
    const person = await people.addPerson()
    const integration = await people.addMember(person, role)
    return { person, integration, browser: openBrowser(pages.origin) }
  }
  return {
    people,
    pages,
    moveToNewNetwork,
    newBrowser: (): TestBrowser => openBrowser(pages.origin),
    openMember,
    async openSignedIn() {
      const member = await openMember()
      await signIn(member.browser, people, member.person)
      return member
    },
  }
}
