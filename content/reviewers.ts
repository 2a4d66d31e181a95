import type { Person } from './schema.ts'

type Reviewer = { role: Person['role']; who: string }

/** The required reviewers for an article of each class. */
const byClass: Readonly<Record<string, Reviewer>> = {
  C: { role: 'clinician', who: 'a clinician' },
  L: { role: 'counsel', who: 'a lawyer' },
}

/** The reviewers still missing for an article of these classes. */
export const awaitedReviewers = (
  classes: readonly unknown[],
  people: readonly Pick<Person, 'role'>[],
): Reviewer[] =>
  classes
    .flatMap(each => byClass[String(each)] ?? [])
    .filter(({ role }) => people.every(person => person.role !== role))

/** The roles that may review a page. */
export const reviewingRoles: readonly string[] = Object.values(byClass).map(({ role }) => role)
