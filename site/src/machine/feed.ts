import { Feed } from 'feed'
import config from '#content/site.config.ts'
import type { ArticlePage, Text } from '../catalog.ts'
import { tabulateFigures } from '../figures/figures.ts'
import { moment } from '../render/day.ts'
import { withoutHeadingLinks } from '../render/heading-links.ts'
import { address } from './markdown-version.ts'

/**
 * RSS 2.0 with the full text. The build date is the day of the newest article or change, so the
 * file changes only with the content, and feed readers don't fetch it again after every build.
 */
export function feed(blog: Text, posts: ArticlePage[], newest: string): string {
  const channel = new Feed({
    title: `${config.name}: ${blog.heading}`,
    description: blog.description,
    id: address('/blog'),
    link: address('/blog'),
    language: 'en',
    copyright: config.legalName,
    updated: moment(newest),
    generator: config.name,
    feedLinks: { rss: address('/feed.xml') },
  })
  for (const post of posts) {
    channel.addItem({
      title: post.title,
      // The guid is the URL, which never changes.
      id: address(post.path),
      link: address(post.path),
      description: post.description,
      content: absolute(tabulateFigures(withoutHeadingLinks(post.html))),
      // RSS requires an email address with the name, so each author has the company's address.
      author: [{ name: post.by, email: config.email.sales }],
      date: moment(post.published),
      category: post.labels.map(name => ({ name })),
    })
  }
  return channel.rss2()
}

function absolute(html: string): string {
  return html.replace(/(href|src)="\//g, `$1="${config.site}/`)
}
