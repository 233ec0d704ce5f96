import type { Reaction, ReactionEmoji } from '#contract/chat/messages.ts'

export const findOwnReaction = (reactions: readonly Reaction[], me: string): ReactionEmoji | null =>
  reactions.find(({ by }) => by.includes(me))?.emoji ?? null

/** @param emoji null removes the member's reaction */
export function withOwnReaction(
  reactions: readonly Reaction[],
  me: string,
  emoji: ReactionEmoji | null,
): Reaction[] {
  if (findOwnReaction(reactions, me) === emoji) return [...reactions]
  const others = reactions
    .map((reaction) => ({ ...reaction, by: reaction.by.filter((id) => id !== me) }))
    .filter(({ by }) => by.length > 0)
  if (emoji === null) return others
  return others.some((reaction) => reaction.emoji === emoji)
    ? others.map((reaction) =>
        reaction.emoji === emoji ? { ...reaction, by: [...reaction.by, me] } : reaction,
      )
    : [...others, { emoji, by: [me] }]
}
