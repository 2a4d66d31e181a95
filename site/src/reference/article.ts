// The indefinite article of the nouns of the contract.

export const articleOf = (noun: string) => (/^[aeio]/i.test(noun) ? 'an' : 'a')
export const withArticle = (noun: string) => `${articleOf(noun)} ${noun}`
