/** A sentence without a number that an integrator or a patient relies on, and the test that shows
 *  it: its file and how its title begins. */
export type Proof = readonly [sentence: string, file: string, title: string]

/** The sentences of pages, by their file under `content/`. */
export type Proofs = Readonly<Record<string, readonly Proof[]>>
