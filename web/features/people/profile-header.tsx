import { Clock, Settings } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import { en } from '#contract/language.ts'
import type { Profile } from '#contract/people/people.ts'
import { formatNumber } from '#web/format-number.ts'
import { getListDialogLink } from '#web/navigation/use-list-dialog-state.ts'
import { screenPaths } from '#web/paths.ts'
import { ButtonLink, IconLink } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { ExpandableText } from '#web/ui/expandable-text.tsx'
import { Avatar } from '#web/ui/images/avatar.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { useMediaQuery } from '#web/ui/use-media-query.ts'
import { FollowButton } from './follow-button.tsx'
import { PrivateAccountChip } from './private-account-labels.tsx'

type Props = {
  profile: Profile
  mine: boolean
  actions?: ReactNode
}

export function ProfileHeader({ profile, mine, actions }: Props) {
  const nameId = useId()
  const wide = useMediaQuery('(min-width: 48rem)')
  const { postCount, followerCount, followingCount } = profile
  const showsPosts = profile.can.seePosts || postCount > 0
  const showsCounts = showsPosts || followerCount !== null
  return (
    <section
      aria-labelledby={nameId}
      className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-5 gap-y-4 px-1 md:grid-cols-[auto_minmax(0,1fr)_auto] md:items-start md:gap-x-8 md:px-0"
    >
      <div className="md:row-span-3">
        <Avatar person={profile} size={wide ? 128 : 88} />
      </div>
      <div
        id={nameId}
        className={cx('min-w-0 [overflow-wrap:anywhere]', showsCounts && 'max-md:order-2 max-md:col-span-2')}
      >
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <PageTitle title={profile.name} />
          {profile.isPrivate && <PrivateAccountChip />}
        </div>
        <p className="mt-0.5 text-body text-text-2">@{profile.username}</p>
      </div>
      <div className="flex gap-2.5 max-md:order-4 max-md:col-span-2 max-md:flex-wrap max-md:*:flex-1 md:justify-end">
        {mine ? (
          <>
            <ButtonLink to={screenPaths.updateProfile(profile.$id)} kind="outline">
              {en('Edit Profile', 'Editar perfil')}
            </ButtonLink>
            <IconLink
              to={screenPaths.settings()}
              label={en('Settings', 'Ajustes')}
              className="flex-none! md:hidden"
            >
              <Settings aria-hidden size={20} strokeWidth={2} />
            </IconLink>
          </>
        ) : (
          <>
            <FollowButton
              person={profile}
              describedBy={nameId}
              block
              size="md"
              requestedIcon={<Clock aria-hidden size={18} strokeWidth={2} />}
            />
            {actions}
          </>
        )}
      </div>
      {showsCounts && (
        <dl className="flex flex-wrap gap-x-5 gap-y-2 max-md:justify-around md:col-span-2 md:gap-7">
          {showsPosts && (
            <Count
              name={postCount === 1 ? en('Post', 'Publicación') : en('Posts', 'Publicaciones')}
              value={postCount}
            />
          )}
          {followerCount !== null && (
            <Count
              name={followerCount === 1 ? en('Follower', 'Seguidora') : en('Followers', 'Seguidoras')}
              value={followerCount}
              list="followers"
            />
          )}
          {followingCount !== null && (
            <Count name={en('Following', 'Siguiendo')} value={followingCount} list="following" />
          )}
        </dl>
      )}
      {profile.bio && (
        // Shortened on a phone, because the buttons below must stay visible.
        <div className="max-w-[62ch] max-md:order-3 max-md:col-span-2 md:col-span-2">
          <ExpandableText text={profile.bio} cut="max-md:line-clamp-4" />
        </div>
      )}
    </section>
  )
}

type CountProps = { name: string; value: number; list?: 'followers' | 'following' }

function Count({ name, value, list }: CountProps) {
  const number = formatNumber(value)
  return (
    <div className="relative flex flex-col-reverse items-center md:flex-row-reverse md:items-baseline md:gap-1.5">
      <dt className="text-label text-text-2">{name}</dt>
      <dd className="text-name font-[680] tabular-nums">
        {list ? (
          <Link
            to={getListDialogLink(list)}
            aria-label={`${number} ${name}`}
            className="underline-offset-4 after:absolute after:-inset-1 hover:underline"
          >
            {number}
          </Link>
        ) : (
          number
        )}
      </dd>
    </div>
  )
}
