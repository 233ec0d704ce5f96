import { useQuery } from '@tanstack/react-query'
import { en } from '#contract/language.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { screenPaths } from '#web/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { followRequestCountQuery } from './queries.ts'

export function FollowRequestsLink() {
  const { isPrivate } = useSignedInMember()
  const { data: count = 0 } = useQuery({ ...followRequestCountQuery, enabled: isPrivate })
  if (!isPrivate || count === 0) return null
  return (
    <ButtonLink to={screenPaths.followRequests()} kind="soft" size="sm">
      {en('Follow requests', 'Solicitudes para seguirte')}
      <span className="min-w-5 rounded-full bg-brand px-1.5 text-micro leading-[1.25rem] font-bold text-on-brand tabular-nums forced-color-adjust-none">
        {count > 99 ? '99+' : count}
      </span>
    </ButtonLink>
  )
}
