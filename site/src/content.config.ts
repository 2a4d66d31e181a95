import { defineCollection } from 'astro:content'
import { type Content, type Entry, folders, singles } from '#content/read.ts'
import { schemas } from '#content/schemas.ts'
import { entries, reference, samples } from './loader.ts'

const collection = (name: keyof Content, pick: (content: Content) => Entry[]) =>
  defineCollection({ loader: entries(name, pick), schema: schemas[name] })

export const collections = {
  ...Object.fromEntries(folders.map(name => [name, collection(name, content => content[name])])),
  ...Object.fromEntries(singles.map(name => [name, collection(name, content => [content[name]])])),
  samples: defineCollection({ loader: samples() }),
  reference: defineCollection({ loader: reference() }),
}
