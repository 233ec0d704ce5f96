import { UserRoundMinus } from 'lucide-react'
import { en } from '#contract/language.ts'
import type { Person } from '#contract/people/people.ts'
import { IconButton } from '#web/ui/button.tsx'
import { useRemoveFollower } from './mutations.ts'

export function RemoveFollowerButton({ person }: { person: Person }) {
  const remove = useRemoveFollower(person)
  return (
    <IconButton
      label={en(`Remove ${person.name} as follower`, `Quitar a ${person.name} como seguidora`)}
      aria-busy={remove.isPending || undefined}
      onClick={() => remove.mutate()}
      className="size-9! after:absolute after:-inset-1"
    >
      <UserRoundMinus aria-hidden size={20} strokeWidth={2} />
    </IconButton>
  )
}
