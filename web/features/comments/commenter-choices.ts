import { Globe, type LucideIcon, MessageCircleOff, Users } from 'lucide-react'
import { en } from '#contract/language.ts'
import type { Profile } from '#contract/people/people.ts'
import type { AllowedCommenters, Post } from '#contract/posts/posts.ts'
import { formatNumber } from '#web/format-number.ts'
import { getCommunityName } from '#web/navigation/community-identity.ts'

export const commenterChoices: readonly {
  value: AllowedCommenters
  label: string
  chosen: string
  icon: LucideIcon
}[] = [
  {
    value: 'everyone',
    label: en('Everyone who can see this post', 'Todas las que pueden ver esta publicación'),
    chosen: en('Everyone can comment', 'Todas pueden comentar'),
    icon: Globe,
  },
  {
    value: 'followed',
    label: en('People I follow', 'Personas a las que sigo'),
    chosen: en('People you follow can comment', 'Pueden comentar las personas a las que sigues'),
    icon: Users,
  },
  {
    value: 'nobody',
    label: en('Nobody', 'Nadie'),
    chosen: en('Nobody can comment', 'Nadie puede comentar'),
    icon: MessageCircleOff,
  },
]

export const commenterChoiceText = (value: AllowedCommenters): string | undefined =>
  value === 'nobody'
    ? en('Comments are closed, for you too', 'Los comentarios están cerrados, también para ti')
    : undefined

/** Undefined if the post's author cannot know it. */
export function describeCommenters(
  value: AllowedCommenters,
  post: Post,
  { followingCount, isPrivate }: Pick<Profile, 'followingCount' | 'isPrivate'>,
): string | undefined {
  if (value === 'everyone') {
    if (post.group) return en(`Members of ${post.group.name}`, `Integrantes de ${post.group.name}`)
    const sharedWith = post.receipt?.with
    if (sharedWith === 'everyone' && !isPrivate) {
      const community = getCommunityName()
      return en(
        `Any member of ${community}, because this post is public`,
        `Cualquier integrante de ${community}, porque esta publicación es pública`,
      )
    }
    return sharedWith === 'followers' && isPrivate ? en('Your followers', 'Tus seguidoras') : undefined
  }
  if (value === 'nobody' || followingCount === null) return commenterChoiceText(value)
  if (followingCount === 0) return en('Only you', 'Solo tú')
  return en(
    `${formatNumber(followingCount)} ${followingCount === 1 ? 'person' : 'people'}, and you`,
    `${formatNumber(followingCount)} ${followingCount === 1 ? 'persona' : 'personas'}, y tú`,
  )
}

export const describeClosedComments = ({ creator }: Post, commentsFrom: AllowedCommenters): string =>
  commentsFrom === 'followed' && creator
    ? en(
        `Only people ${creator.name} follows can comment.`,
        `Solo pueden comentar las personas a las que sigue ${creator.name}.`,
      )
    : en('Comments are closed.', 'Los comentarios están cerrados.')
