import { defineCollection } from 'astro:content'
import { article, home, page, people, tags } from '#content/schema.ts'
import { entries, samples } from './loader.ts'

export const collections = {
  articles: defineCollection({
    loader: entries('articles', content => content.articles),
    schema: article,
  }),
  pages: defineCollection({ loader: entries('pages', content => content.pages), schema: page }),
  home: defineCollection({ loader: entries('home', content => [content.home]), schema: home }),
  people: defineCollection({
    loader: entries('people', content => [content.people]),
    schema: people,
  }),
  tags: defineCollection({ loader: entries('tags', content => [content.tags]), schema: tags }),
  samples: defineCollection({ loader: samples() }),
}
