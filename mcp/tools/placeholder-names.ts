// What an assistant writes where a person's name should stand when it has not asked for one.
// A list and not a guess: the same name is always judged alike.

const nobody = new Set([
  'ai',
  'ai agent',
  'ai assistant',
  'agent',
  'anonymous',
  'assistant',
  'bot',
  'chatbot',
  'client',
  'customer',
  'first name',
  'firstname',
  'first_name',
  'guest',
  'n/a',
  'na',
  'name',
  'no name',
  'none',
  'null',
  'placeholder',
  'tbd',
  'test',
  'test user',
  'testuser',
  'the user',
  'undefined',
  'unknown',
  'user',
  'your name',
])

export function isNobody(name: unknown, email: unknown): boolean {
  if (typeof name !== 'string') return false
  const word = name.trim().toLowerCase().replace(/\s+/g, ' ')
  if (nobody.has(word)) return true
  return typeof email === 'string' && /^\d+$/.test(word) && email.split('@')[0] === word
}
