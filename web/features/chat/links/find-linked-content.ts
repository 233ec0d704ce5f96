/** Also finds the posts, groups and profiles of this community that the URLs lead to. */
import { matchPath } from 'react-router'
import { screenRoutes } from '#contract/screen-routes.ts'
import { splitAtLinks } from './split-at-links.ts'

export type LinkedContent = { kind: 'post' | 'group' | 'profile'; id: string }

const maxCards = 3

export function findLinkedContent(text: string, origin: string): LinkedContent[] {
  const found = new Map<string, LinkedContent>()
  for (const [index, part] of splitAtLinks(text).entries()) {
    const url = index % 2 === 1 ? new URL(part) : null
    const content = url?.origin === origin ? toLinkedContent(url.pathname) : undefined
    if (content) found.set(`${content.kind} ${content.id}`, content)
  }
  return [...found.values()].slice(0, maxCards)
}

function toLinkedContent(pathname: string): LinkedContent | undefined {
  const post = matchPath(screenRoutes.post.path, pathname)?.params.postId
  if (post) return { kind: 'post', id: post }
  const group = matchPath('/groups/:groupId', pathname)?.params.groupId
  if (group && group !== 'create') return { kind: 'group', id: group }
  const person = matchPath('/profile/:personId', pathname)?.params.personId
  return person ? { kind: 'profile', id: person } : undefined
}
