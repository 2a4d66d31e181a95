import { tokenize } from './terms.ts'

/** What an answer says first when a question sounds like an emergency. */
export const emergencyNotice =
  'If this may be an emergency, call 911 (US) or your local emergency number now. In a crisis, call or text 988. People do not watch this search.'

/** Signs of an emergency. Each is a few lists, and a question has it with a word of each list. */
const signs: readonly (readonly string[])[] = [
  ['chest heart', 'pain hurt hurting tight pressure racing attack pounding ache'],
  ['breath breathe breathing', 'cant cannot short trouble difficult hard stopped not struggling'],
  ['suicide suicidal overdose overdosed anaphylaxis anaphylactic unconscious unresponsive seizure'],
  ['slurred slurring convulsion convulsing choking choked poisoned poisoning'],
  ['stroke', 'having sign symptom now think suspected'],
  ['weak weakness numb numbness drooping', 'side arm leg face sudden suddenly'],
  ['wake woken waking', 'cant cannot wont not'],
  ['severe unbearable excruciating', 'pain'],
  ['severe nonstop', 'vomiting vomit bleeding rash'],
  ['lip skin face', 'blue'],
  ['kill killing hurt harm cut cutting', 'himself herself themselves themself myself'],
  ['self', 'harm harming'],
  ['take taking end ending', 'his her their my', 'life'],
  ['want wants wish wishes', 'die dead'],
  ['too double whole', 'many much bottle', 'pill tablet capsule dose medication medicine'],
  ['swell swelling swollen', 'face throat tongue lip eye'],
  ['allergic', 'reaction shock'],
  ['faint fainted collapse collapsed', 'she he they patient customer after'],
  ['passed', 'out', 'she he they patient customer after'],
  ['worst sudden', 'headache migraine'],
  ['vision sight eyesight', 'lost loss blurry blurred gone sudden'],
  ['bleeding', 'heavy heavily severe stop'],
  ['blood', 'vomiting vomit coughing'],
  ['medical', 'emergency'],
  ['call dial', '911 988 ambulance'],
]
const lists = signs.map(sign => sign.map(words => new Set(words.split(' '))))

/** Whether a person may be in danger now. */
export function soundsLikeEmergency(question: string): boolean {
  const words = tokenize(question)
  const isAmong = (list: ReadonlySet<string>) =>
    words.some(word => list.has(word) || list.has(word.replace(/s$/, '')))
  return lists.some(sign => sign.every(isAmong))
}

/** The name, as a term, of the page to which an emergency leads. */
export const emergencyTerm = '=!emergency'
