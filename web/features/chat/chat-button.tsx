import { MessageCircle } from 'lucide-react'
import { en } from '#contract/language.ts'
import type { Person } from '#contract/people/people.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { canChatWith, useStartChat } from './use-start-chat.ts'

export type ChatButtonProps = {
  person: Pick<Person, '$id' | 'name' | 'can'>
  place: 'icon' | 'card' | 'page'
}

export function ChatButton({ person, place }: ChatButtonProps) {
  const me = useSignedInMember()
  const { starting, start } = useStartChat()
  if (!canChatWith(me, person.$id) || !person.can.write) return null
  const press = {
    'aria-label': en(`Chat with ${person.name}`, `Chatear con ${person.name}`),
    'aria-busy': starting || undefined,
    onClick: () => void start(person.$id),
  }
  if (place === 'icon') {
    return (
      <IconButton {...press} label={press['aria-label']} className="size-9! after:absolute after:-inset-1">
        <MessageCircle aria-hidden size={20} strokeWidth={2} />
      </IconButton>
    )
  }
  const card = place === 'card'
  return (
    <Button
      kind={card ? 'quiet' : 'outline'}
      size={card ? 'sm' : 'md'}
      className={cx(card ? 'px-0! max-md:w-11 md:flex-1' : 'flex-none')}
      {...press}
    >
      <MessageCircle aria-hidden size={18} strokeWidth={2} />
      <span className={cx(card && 'max-md:sr-only')}>{en('Chat', 'Chat')}</span>
    </Button>
  )
}
