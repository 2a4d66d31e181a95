import { type Post, posts } from '../../catalog.ts'
import { articleTwin } from '../../render/twin.ts'

type Props = { props: { post: Post; others: Post[] } }

export async function getStaticPaths() {
  const others = await posts()
  return others.map(post => ({ params: { slug: post.slug }, props: { post, others } }))
}

export const GET = ({ props }: Props) => new Response(articleTwin(props.post, props.others))
