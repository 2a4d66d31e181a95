// The set-up of the tests of pages: people, the pages on a port, and members with a browser.
import { afterAll, expect } from 'bun:test'
import { openBrowser, type TestBrowser } from './browser.ts'
import { openPeople, openTestPages } from './people.ts'

/** Opened for all tests of a file, and closed after them; by then no page may have failed. */
export async function usePages() {
  const people = await openPeople()
  const pages = await openTestPages(people)
  afterAll(async () => {
    await pages.close()
    await people.close()
    expect(pages.failures).toEqual([])
  })
  let networks = 0
  /** From now on callers come from another network: wrong codes are counted by network. */
  const moveToNewNetwork = () => {
    pages.caller.address = `198.51.100.${++networks}`
  }
  return {
    people,
    pages,
    moveToNewNetwork,
    newBrowser: (): TestBrowser => openBrowser(pages.origin),
    /** A person of an integration, in their own network. */
    async openMember(role = 'owner') {
      moveToNewNetwork()
      const person = await people.addPerson()
      const integration = await people.addMember(person, role)
      return { person, integration, browser: openBrowser(pages.origin) }
    },
  }
}
