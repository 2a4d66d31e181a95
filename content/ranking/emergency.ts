import { stemOf, tokenize } from './terms.ts'

/** What an answer says first when a question sounds like an emergency. */
export const emergencyNotice =
  'If this may be an emergency, call 911 (US) or your local emergency number now. In a crisis, call or text 988. People do not watch this search.'

/** Signs of an emergency. Each is a few lists, and a question has it with a word of each list. */
const signs: readonly (readonly string[])[] = [
  ['chest heart', 'pain hurt tight pressure racing attack pounding ache'],
  ['breath breathe', 'cant cannot short trouble difficult hard stop not struggle'],
  ['suicide suicidal overdose anaphylaxis anaphylactic unconscious unresponsive seizure'],
  ['slur convulsion convulsing choke poison gasping pulseless'],
  ['throat airway', 'close closing tight tighten shut'],
  ['turn turned', 'blue grey gray', 'she he they patient customer lip skin face'],
  ['black', 'out', 'she he they patient customer after'],
  ['no cannot without', 'pulse'],
  ['stroke', 'having sign symptom now think suspect'],
  ['weak weakness numb numbness drooping', 'side arm leg face sudden'],
  ['wake woken', 'cant cannot wont not'],
  ['severe unbearable excruciating', 'pain'],
  ['severe nonstop', 'vomit bleed rash'],
  ['lip skin face', 'blue'],
  ['kill hurt harm cut', 'himself herself themselves themself myself'],
  ['self', 'harm'],
  ['take end', 'his her their my', 'life'],
  ['want wish', 'die dead'],
  ['too double whole', 'many much bottle', 'pill tablet capsule dose medication medicine'],
  ['swell swollen', 'face throat tongue lip eye'],
  ['allergic', 'reaction shock'],
  ['faint collapse', 'she he they patient customer after'],
  ['pass', 'out', 'she he they patient customer after'],
  ['worst sudden', 'headache migraine'],
  ['vision sight eyesight', 'lost loss blurry blurred gone sudden'],
  ['bleed', 'heavy heavily severe stop'],
  ['blood', 'vomit cough'],
  ['medical', 'emergency'],
  [
    'patient customer client someone he she',
    'write wrote report say said have tell message',
    'emergency',
  ],
  ['call dial', '911 988 ambulance'],
]
const lists = signs.map(sign => sign.map(words => new Set(words.split(' ').map(stemOf))))
const listed = new Set(lists.flat().flatMap(list => [...list]))

/** Whether a person may be in danger now, in whichever form of the words. */
export const soundsLikeEmergency = (question: string): boolean => isUrgent(tokenize(question))

export function isUrgent(words: readonly string[]): boolean {
  const stems = words.map(stemOf).filter(stem => listed.has(stem))
  const isAmong = (list: ReadonlySet<string>) => stems.some(each => list.has(each))
  return lists.some(sign => sign.every(isAmong))
}

/** The name, as a term, of the page to which an emergency leads. */
export const emergencyTerm = '=!emergency'
