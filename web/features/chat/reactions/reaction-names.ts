import type { ReactionEmoji } from '#contract/chat/messages.ts'
import { en } from '#contract/language.ts'

export const reactionNames: Readonly<Record<ReactionEmoji, string>> = {
  '❤️': en('Love', 'Amor'),
  '😂': en('Laugh', 'Risa'),
  '😮': en('Wow', 'Asombro'),
  '😢': en('Sad', 'Tristeza'),
  '👏': en('Applause', 'Aplauso'),
  '🙏': en('Thank you', 'Gracias'),
}
