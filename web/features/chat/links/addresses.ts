/** The addresses in a message, and those of them that lead to something of this place. */
import { matchPath } from 'react-router'
import { screenRoutes } from '#web/paths.ts'

/** An address as people paste it; a full stop or a bracket after it belongs to the sentence. */
export const addressPattern = /(https?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]}])/i

export type LinkedThing = { kind: 'post' | 'group' | 'profile'; id: string }

/** More in one message are links alone. */
const maxCards = 3

/** Finds the posts, groups and profiles of this place that a message leads to, each once, in its order. */
export function findLinkedThings(text: string, origin: string): LinkedThing[] {
  const found = new Map<string, LinkedThing>()
  for (const [index, part] of text.split(addressPattern).entries()) {
    const url = index % 2 === 1 ? URL.parse(part) : null
    const thing = url?.origin === origin ? toThing(url.pathname) : undefined
    if (thing) found.set(`${thing.kind} ${thing.id}`, thing)
  }
  return [...found.values()].slice(0, maxCards)
}

function toThing(pathname: string): LinkedThing | undefined {
  const post = matchPath(screenRoutes.post.path, pathname)?.params.postId
  if (post) return { kind: 'post', id: post }
  const group = matchPath('/groups/:groupId', pathname)?.params.groupId
  if (group && group !== 'create') return { kind: 'group', id: group }
  const person = matchPath('/profile/:personId', pathname)?.params.personId
  return person ? { kind: 'profile', id: person } : undefined
}
