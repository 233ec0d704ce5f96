import { Link } from 'react-router'
import { getCommunityLogoPath } from '#contract/community/community-name-and-logo.ts'
import { getCommunityName, useCommunityIdentity } from '#web/navigation/community-identity.ts'
import { cx } from './cx.ts'

export function LogoMark({ className = 'size-[34px]' }: { className?: string }) {
  return (
    <svg viewBox="0 0 48 48" aria-hidden="true" className={cx('flex-none', className)}>
      <rect width="48" height="48" rx="14.4" fill="var(--mark)" />
      <g fill="none" strokeWidth="7" strokeLinecap="round">
        <path stroke="var(--mark-right)" d="M32.4 23.4v2.6A10.4 10.4 0 0 1 22 36.4" />
        <path stroke="var(--mark-left)" d="M15.6 23.4v2.6A10.4 10.4 0 0 0 26 36.4" />
      </g>
      <circle cx="15.6" cy="13.8" r="4.5" fill="var(--mark-left)" />
      <circle cx="32.4" cy="13.8" r="4.5" fill="var(--mark-right)" />
    </svg>
  )
}

export function CommunityLogo({ className = 'size-[34px]' }: { className?: string | undefined }) {
  const { logo } = useCommunityIdentity()
  if (!logo) return <LogoMark className={className} />
  return (
    <img
      src={getCommunityLogoPath(logo)}
      alt=""
      width={192}
      height={192}
      className={cx('flex-none rounded-[30%] object-cover', className)}
    />
  )
}

type BrandProps = { to: string; small?: boolean; wordClassName?: string; className?: string }

export function BrandLink({ to, small, wordClassName, className }: BrandProps) {
  const { name } = useCommunityIdentity()
  return (
    <Link
      to={to}
      aria-label={getCommunityName()}
      className={cx(
        'inline-flex min-h-11 min-w-0 items-center font-display leading-[2.125rem] font-bold tracking-[-0.045em]',
        small ? 'gap-2 text-[min(1.5625rem,9.5vw)]' : 'gap-2.5 text-[1.6875rem]',
        className,
      )}
    >
      <CommunityLogo className={small ? 'size-[30px]' : undefined} />
      <span
        aria-hidden="true"
        className={cx(wordClassName, name && 'min-w-0 truncate text-lead tracking-[-0.018em]')}
      >
        {name ?? 'juntas'}
      </span>
    </Link>
  )
}
