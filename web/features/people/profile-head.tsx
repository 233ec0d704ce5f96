import { type ReactNode, useId } from 'react'
import type { Profile } from '#contract/people.ts'
import { paths } from '#web/paths.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { LongText } from '#web/ui/long-text.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { useMedia } from '#web/ui/use-media.ts'
import { FollowButton } from './follow-button.tsx'

type Props = {
  profile: Profile
  mine: boolean
  /** What else can be done with her, beside following. */
  actions?: ReactNode
}

export function ProfileHead({ profile, mine, actions }: Props) {
  const nameId = useId()
  const wide = useMedia('(min-width: 48rem)')
  const { postCount, followerCount, followingCount } = profile
  return (
    <section
      aria-labelledby={nameId}
      className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-5 gap-y-4 px-1 md:grid-cols-[auto_minmax(0,1fr)_auto] md:items-start md:gap-x-8 md:px-0"
    >
      <div className="md:row-span-3">
        <Avatar person={profile} size={wide ? 128 : 88} />
      </div>
      <div id={nameId} className="min-w-0 max-md:order-2 max-md:col-span-2 [overflow-wrap:anywhere]">
        <PageTitle title={profile.name} />
        <p className="mt-0.5 text-body text-text-2">@{profile.username}</p>
      </div>
      <div className="flex gap-2.5 max-md:order-4 max-md:col-span-2 max-md:*:flex-1 md:justify-end">
        {mine ? (
          <ButtonLink to={paths.updateProfile(profile.$id)} kind="outline">
            Edit Profile
          </ButtonLink>
        ) : (
          <>
            <FollowButton person={profile} describedBy={nameId} block size="md" />
            {actions}
          </>
        )}
      </div>
      <dl className="flex gap-5 max-md:justify-around md:col-span-2 md:gap-7">
        <Count name="Posts" value={postCount} />
        <Count name="Followers" value={followerCount} />
        <Count name="Following" value={followingCount} />
      </dl>
      {profile.bio && (
        // On a phone what can be done with her stands below it, and is to stay in sight.
        <div className="max-w-[62ch] max-md:order-3 max-md:col-span-2 md:col-span-2">
          <LongText text={profile.bio} cut="max-md:line-clamp-4" />
        </div>
      )}
    </section>
  )
}

function Count({ name, value }: { name: string; value: number }) {
  return (
    <div className="flex flex-col-reverse items-center md:flex-row-reverse md:items-baseline md:gap-1.5">
      <dt className="text-label text-text-2">{name}</dt>
      <dd className="text-name font-[680] tabular-nums">{value.toLocaleString('en')}</dd>
    </div>
  )
}
