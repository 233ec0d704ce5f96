import { en } from '#contract/language.ts'
import type { PostDraftSummary } from './post-draft-store.ts'

const maxLength = 60

export function describePostDraft({ caption }: Pick<PostDraftSummary, 'caption'>): string {
  const words = caption.trim().replace(/\s+/gu, ' ')
  if (words === '') return en('Without a caption', 'Sin texto')
  const letters = [...words]
  return letters.length > maxLength ? `${letters.slice(0, maxLength - 1).join('')}…` : words
}
