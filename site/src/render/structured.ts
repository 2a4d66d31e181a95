import config from '#content/site.config.ts'
import type { Post } from '../catalog.ts'
import { address } from './twin.ts'

const publisher = { '@type': 'Organization', name: config.name, url: config.site }

export function articleData(post: Post): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'Article',
    headline: post.title,
    description: post.description,
    url: address(post.path),
    mainEntityOfPage: address(post.path),
    datePublished: post.published,
    dateModified: post.updated,
    author: { '@type': 'Person', name: post.person.name },
    publisher,
    keywords: post.labels,
    citation: post.sources.map(source => source.url),
  }
}

export function siteData(description: string): object {
  return {
    '@context': 'https://schema.org',
    ...publisher,
    legalName: config.legalName,
    description,
  }
}

/** JSON inside a script element: a closing tag in a string must not close the element. */
export function scriptJson(data: object): string {
  return JSON.stringify(data).replace(/</g, '\\u003c')
}
