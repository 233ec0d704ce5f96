import { en } from '#contract/language.ts'
import type { WaitingPost } from '../drafts/post-draft-store.ts'

export function describePostRefusal({ groupName, refusal }: WaitingPost): string {
  if (groupName !== null && refusal?.type === 'group_membership_required')
    return en(
      `You are no longer in ${groupName}. Choose where to post.`,
      `Ya no estás en ${groupName}. Elige dónde publicar.`,
    )
  return refusal?.message ?? ''
}
