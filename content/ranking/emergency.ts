import { neighbors } from './spelling.ts'
import { stemOf, tokenize } from './terms.ts'

/** The first words of a response when a question sounds like an emergency. */
export const emergencyNotice =
  'If this may be an emergency, call 911 (US) or your local emergency number now. In a crisis, call or text 988. People do not watch this search.'

/**
 * Signs of an emergency. Each sign has several word lists. A question matches a sign if it has a
 * word from each list, or adjacent words such as `passed-out`.
 */
const signs: readonly (readonly string[])[] = [
  [
    'chest heart',
    'pain hurt tight pressure racing attack pounding ache crushing squeezing stabbing heavy stopped clutch',
  ],
  [
    'breath breathe',
    'cant cannot short trouble difficult hard stop not struggle barely catch gasp labored hardly',
  ],
  ['suicide suicidal overdose anaphylaxis anaphylactic unconscious unresponsive seizure oded'],
  ['slur convulsion convulsing choke poison gasping pulseless wheezing palpitation'],
  ['gunshot stabbed drowned drowning electrocuted raped sepsis meningitis cardiac-arrest'],
  ['throat airway', 'close closing tight tighten shut'],
  ['swallow', 'cant cannot unable', 'throat tongue swollen face shot injection'],
  ['turn-blue turn-grey turn-gray turn-purple', person('lip skin face baby his')],
  ['pain', 'arm jaw', 'left sweating'],
  ['passed-out passing-out blacked-out blacking-out', person('after')],
  ['no cannot without', 'pulse'],
  ['stroke', 'having sign symptom now think suspect'],
  ['weak weakness numb numbness drooping', 'side arm leg face sudden'],
  ['feel move', 'cant cannot', 'body arm leg hand'],
  ['wake woken', 'cant cannot wont not', person('up child baby')],
  ['severe unbearable excruciating', 'pain'],
  ['severe worst sudden sharp', 'stomach belly abdominal abdomen'],
  ['severe nonstop', 'vomit bleed rash burn'],
  ['hives rash', 'swell swollen dizzy faint'],
  ['lip skin face', 'blue'],
  ['yellow', 'skin eyes', person('turned')],
  ['kill hurt harm cut', 'himself herself themselves themself myself'],
  ['kill', 'want threaten going', 'wife husband mother father someone me'],
  ['self', 'harm'],
  ['take end', 'his her their my', 'life'],
  ['want wish', 'die be-dead'],
  ['live-anymore end-it-all ending-it-all reason-to-live better-off-dead tired-of-living'],
  ['hopeless', person('life')],
  ['hear hearing', 'voices', person('head')],
  ['too double whole', 'many much bottle', 'pill tablet capsule dose medication medicine'],
  ['took swallowed drank ate', 'whole-bottle entire-bottle full-bottle all-pill all-his all-her'],
  ['took taken injected', 'double-dose triple-dose twice-dose ten-time'],
  ['took swallowed', '10 15 20 25 30 40 50 60 100 ten twenty thirty forty fifty', 'pill tablet'],
  [
    'baby toddler infant child kid son daughter',
    'swallow drank ate took',
    'pill tablet capsule dose medication medicine bottle',
  ],
  ['swell swollen', 'face throat tongue lip eye'],
  ['allergic', 'reaction shock'],
  ['faint collapse', person('after floor')],
  ['lying-on collapsed-on', 'floor ground'],
  ['hit', 'head', 'fell black bleed unconscious vomit'],
  ['worst sudden', 'headache migraine'],
  ['stiff', 'neck', 'fever headache'],
  ['vision sight eyesight', 'lost loss blurry blurred gone sudden'],
  ['double-vision', person('sudden')],
  ['bleed', 'heavy heavily severe stop wont'],
  ['pregnant pregnancy', 'bleed cramps cramping contraction'],
  ['blood', 'vomit cough'],
  ['sugar glucose', 'low', 'confused shaking shaky faint sweating dizzy'],
  ['erection', 'hour painful'],
  ['medical', 'emergency'],
  [
    'patient customer client someone he she',
    'write wrote report say said have tell message',
    'emergency',
  ],
  ['call dial', '911 988 ambulance'],
]

/** Words for a person. */
function person(more: string): string {
  return `she he they her him patient customer client mother father wife husband ${more}`
}

/** Phrases with danger words that people use about other things. */
const calm =
  /\b(bleeding edge|strokes? of (luck|genius)|kill switch|heart of|life of|cache poison\w*|poison\w* (cache|message|pill|queue))\b/g

/** Long words with no other meaning, which may be misspelled by one letter. */
const spelled = [
  'suicide suicidal overdose overdosed anaphylaxis anaphylactic unconscious',
  'unresponsive seizure convulsion poisoned',
].flatMap(words => words.split(' '))

const phraseOf = (words: string) => words.split('-').map(stemOf).join(' ')
const lists = signs.map(sign => sign.map(words => new Set(words.split(' ').map(phraseOf))))

type Sign = readonly ReadonlySet<string>[]

/** The signs by the words in their first list, and the phrases by their first word. */
const signsOf = new Map<string, Sign[]>()
const phrasesFrom = new Map<string, Set<string>>()
for (const sign of lists) {
  for (const word of sign[0] ?? []) signsOf.set(word, [...(signsOf.get(word) ?? []), sign])
  for (const phrase of sign.flatMap(list => [...list]).filter(each => each.includes(' '))) {
    const [first = ''] = phrase.split(' ')
    phrasesFrom.set(first, (phrasesFrom.get(first) ?? new Set()).add(phrase))
  }
}

/** Whether a person may be in danger now, in any form of the words. */
export const soundsLikeEmergency = (question: string): boolean => isUrgent(tokenize(question))

export const isUrgent = (words: readonly string[]): boolean =>
  hasSign(words) && hasSign(words.join(' ').replace(calm, ' ').split(' '))

const none: readonly string[] = []

function hasSign(words: readonly string[]): boolean {
  const said = words.map(word => stemOf(meant(word)))
  const begun: string[] = []
  for (const word of said) begun.push(...(phrasesFrom.get(word) ?? none))
  if (begun.length > 0) {
    const text = ` ${said.join(' ')} `
    said.push(...begun.filter(phrase => text.includes(` ${phrase} `)))
  }
  const isSaid = (list: ReadonlySet<string>) => said.some(each => list.has(each))
  return said.some(word => signsOf.get(word)?.some(sign => sign.every(isSaid)))
}

/** Built on the first question; each word has about five hundred neighbors. */
let misspelled: ReadonlyMap<string, string> | undefined

/** The danger word that a misspelled word means. */
function meant(word: string): string {
  misspelled ??= new Map(
    spelled.flatMap(sign => [...neighbors(sign)].map(each => [each, sign] as const)),
  )
  return misspelled.get(word) ?? word
}

/** The name, as a term, of the page shown in an emergency. */
export const emergencyTerm = '=!emergency'
