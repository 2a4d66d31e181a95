import config from '#content/site.config.ts'
import type { Pricing } from '#content/records.ts'
import type { Guide, ArticlePage, Reference, Text, Versus } from '../catalog.ts'
import { citedIn } from '../render/sources.ts'
import { pictureOf } from '../render/picture-path.ts'
import { address } from './markdown-version.ts'

const context = 'https://schema.org'
const publisher = {
  '@type': 'Organization',
  '@id': `${config.site}/#organization`,
  name: config.name,
  url: config.site,
  logo: address('/favicon.svg'),
}

type Dated = {
  title: string
  description: string
  path: string
  published: string
  updated: string
}

/** The structured data that every text has. */
const work = (type: string, each: Dated) => ({
  '@context': context,
  '@type': type,
  headline: each.title,
  description: each.description,
  url: address(each.path),
  mainEntityOfPage: address(each.path),
  image: address(pictureOf(each.path)),
  datePublished: each.published,
  dateModified: each.updated,
  publisher,
})

/** A page's breadcrumbs, as search engines show them. */
const way = (name: string, path: string, each: Dated) => ({
  '@type': 'BreadcrumbList',
  itemListElement: [
    { '@type': 'ListItem', position: 1, name, item: address(path) },
    { '@type': 'ListItem', position: 2, name: each.title, item: address(each.path) },
  ],
})

export function articleData(post: ArticlePage): object {
  return {
    ...work('Article', post),
    author: post.person === null ? publisher : { '@type': 'Person', name: post.by },
    keywords: post.labels,
    citation: citedIn(post).map(({ url }) => url),
    breadcrumb: way('Blog', '/blog', post),
  }
}

export function comparisonData(each: Versus): object {
  const rows = each.criteria.flatMap(({ source }) => (source === null ? [] : [source]))
  const citation = [...new Set([...rows, ...citedIn(each).map(({ url }) => url)])]
  return {
    ...work('Article', each),
    author: publisher,
    about: [each.subject, each.alternative].map(name => ({ '@type': 'Thing', name })),
    citation: [...new Set(citation)],
    breadcrumb: way('Comparisons', '/compare', each),
  }
}

export function guideData(guide: Guide): object {
  return {
    ...work('TechArticle', guide),
    author: publisher,
    breadcrumb: way('Docs', '/docs', guide),
  }
}

export function referenceData(page: Reference): object {
  const { path, title, description, updated } = page
  return {
    ...work('TechArticle', { path, title, description, updated, published: updated }),
    author: publisher,
    breadcrumb: way('API reference', '/docs/api', {
      path,
      title,
      description,
      updated,
      published: updated,
    }),
  }
}

const types: Readonly<Record<string, string>> = {
  about: 'AboutPage',
  booking: 'ContactPage',
  compare: 'CollectionPage',
  docs: 'CollectionPage',
  blog: 'Blog',
}

/** A page's structured data; the price page's data includes its questions and answers. */
export function pageData(page: Text, faq: Pricing['faq'] = []): object {
  const data = { ...work(types[page.name] ?? 'WebPage', page), name: page.title }
  if (faq.length === 0) return data
  const answers = faq.map(({ question, answer }) => ({
    '@type': 'Question',
    name: question,
    acceptedAnswer: { '@type': 'Answer', text: answer },
  }))
  return [data, { '@context': context, '@type': 'FAQPage', mainEntity: answers }]
}

export function siteData(description: string): object {
  const organization = {
    '@context': context,
    ...publisher,
    legalName: config.legalName,
    description,
    contactPoint: [
      { '@type': 'ContactPoint', contactType: 'sales', email: config.email.sales },
      { '@type': 'ContactPoint', contactType: 'security', email: config.email.security },
    ],
  }
  const site = {
    '@context': context,
    '@type': 'WebSite',
    '@id': `${config.site}/#site`,
    name: config.name,
    url: config.site,
    description,
    publisher: { '@id': publisher['@id'] },
    potentialAction: {
      '@type': 'SearchAction',
      target: `${config.site}/ask?query={query}`,
      'query-input': 'required name=query',
    },
  }
  return [organization, site]
}

/** Serializes JSON for a script element, which a closing tag in a string must not close. */
export function scriptJson(data: object): string {
  return JSON.stringify(data).replace(/</g, '\\u003c')
}
