import { UserRoundMinus } from 'lucide-react'
import type { Person } from '#contract/people.ts'
import { IconButton } from '#web/ui/button.tsx'
import { useRemoveFollower } from './mutations.ts'

/** Ends that somebody in the list of the member's followers follows the member. */
export function RemoveFollowerButton({ person }: { person: Person }) {
  const remove = useRemoveFollower(person)
  return (
    <IconButton
      label={`Remove ${person.name} as follower`}
      aria-busy={remove.isPending || undefined}
      onClick={() => remove.mutate()}
      className="size-9! after:absolute after:-inset-1"
    >
      <UserRoundMinus aria-hidden size={20} strokeWidth={2} />
    </IconButton>
  )
}
