// The indefinite article for the contract's nouns.

export const articleOf = (noun: string) => (/^[aeio]/i.test(noun) ? 'an' : 'a')
export const withArticle = (noun: string) => `${articleOf(noun)} ${noun}`
