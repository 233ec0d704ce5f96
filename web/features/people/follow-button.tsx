import type { Person } from '#contract/people.ts'
import { useMe } from '#web/features/account/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { useFollowToggle } from './queries.ts'

type Props = {
  person: Pick<Person, '$id' | 'name' | 'following'>
  block?: boolean
  size?: 'sm' | 'md'
  /** The id of the element that names her: the button itself says only what it does. */
  describedBy: string
}

/** Spec §4 Follow. Nobody follows herself (conflict C-34). */
export function FollowButton({ person, block, size = 'sm', describedBy }: Props) {
  const me = useMe()
  const { inFlight, toggle } = useFollowToggle(person)
  // The lists have changed already; until the answer comes, the button keeps the name of what was pressed.
  const follows = inFlight ? !person.following : person.following
  const label = follows ? 'Unfollow' : 'Follow'
  return (
    <Button
      kind={person.following ? 'outline' : 'soft'}
      size={size}
      block={block}
      busy={inFlight}
      busyLabel="..."
      disabled={person.$id === me.$id}
      aria-label={label}
      aria-describedby={describedBy}
      onClick={toggle}
    >
      {label}
    </Button>
  )
}
