import { useQuery } from '@tanstack/react-query'
import { LogOut, Settings } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { en } from '#contract/language.ts'
import { signedInMemberQuery } from '#web/features/account/signed-in-member.ts'
import { screenPaths } from '#web/paths.ts'
import { BrandLink } from '#web/ui/brand.tsx'
import { cx } from '#web/ui/cx.ts'
import { Avatar } from '#web/ui/images/avatar.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { LazyNotificationBell, LazyUnreadConversationsBadge } from './deferred-layout-parts.tsx'

import {
  ariaCurrentOf,
  getNavigationLinkState,
  type NavigationEntry,
  navigationEntries,
} from './navigation-entries.ts'
import { useSamePageLinkRefresh } from './use-same-page-link-refresh.ts'
import { useSignOutWithConfirmation } from './use-sign-out-with-confirmation.tsx'

const row = cx(
  'relative flex min-h-12 items-center gap-3.5 rounded-input px-3.5 text-name transition-colors duration-120',
  'max-xl:min-h-[58px] max-xl:flex-col max-xl:justify-center max-xl:gap-1 max-xl:px-1 max-xl:text-center max-xl:text-micro',
  'focus-visible:rounded-input',
)
const quiet = 'font-[550] text-text-2 hover:bg-sunken hover:text-text'
const here =
  'aria-[current=page]:bg-brand-soft aria-[current=page]:font-[680] aria-[current=page]:text-brand-text aria-[current=page]:[&_svg]:stroke-[2.3]'
const make =
  'mt-3 justify-center forced-colors:border gap-2.5! bg-brand font-[650] text-on-brand hover:bg-brand-hover aria-[current=page]:bg-brand-press max-xl:mt-2 max-xl:gap-1!'

/** A column of icons below 1280 px. Hidden below 768 px. */
export function Sidebar() {
  const logOut = useSignOutWithConfirmation()
  const { pathname } = useLocation()
  return (
    <aside
      aria-label={en('Sidebar', 'Barra lateral')}
      className="sticky top-0 flex h-dvh flex-col overflow-y-auto border-r border-border bg-surface px-2 pt-[18px] pb-3 max-md:hidden print:hidden xl:px-4 xl:pt-[22px] xl:pb-4"
    >
      <div className="flex items-center max-xl:flex-col max-xl:gap-1 xl:justify-between">
        <BrandLink
          to={screenPaths.home()}
          wordClassName="max-xl:hidden"
          className="max-xl:justify-center xl:px-2.5"
        />
        <LazyNotificationBell />
      </div>
      <ProfileBlock />
      <nav aria-label={en('Main', 'Principal')} className="flex flex-col gap-0.5">
        {navigationEntries.map((entry) => (
          <SidebarLink key={entry.to} entry={entry} />
        ))}
      </nav>
      <Link
        to={screenPaths.settings()}
        aria-current={pathname.startsWith(screenPaths.settings()) ? 'page' : undefined}
        className={cx(row, quiet, here, 'mt-auto flex-none')}
      >
        <Settings size={22} strokeWidth={1.9} className="flex-none" />
        {en('Settings', 'Ajustes')}
      </Link>
      {/* role-links.tsx fills this element for moderators and operators. */}
      <div id="role-links" className="flex-none" />
      <button
        type="button"
        data-leaves
        aria-busy={logOut.busy || undefined}
        onClick={logOut.run}
        className={cx(row, quiet, 'w-full flex-none')}
      >
        <LogOut size={22} strokeWidth={1.9} className="flex-none" />
        {en('Logout', 'Cerrar sesión')}
      </button>
      {logOut.question}
    </aside>
  )
}

function SidebarLink({ entry }: { entry: NavigationEntry }) {
  const { to, label, icon: Icon } = entry
  const { pathname } = useLocation()
  const returnToTop = useSamePageLinkRefresh(to)
  return (
    <Link
      to={to}
      state={getNavigationLinkState(entry, pathname)}
      aria-current={ariaCurrentOf(pathname, entry)}
      onClick={returnToTop}
      className={cx(row, to === screenPaths.createPost() ? make : cx(quiet, here))}
    >
      <Icon size={22} strokeWidth={1.9} className="flex-none" />
      {label}
      {to === screenPaths.chat() && <LazyUnreadConversationsBadge />}
    </Link>
  )
}

const block = cx(
  'mt-4 mb-2.5 flex min-h-[92px] flex-none flex-col items-center gap-1 rounded-photo px-1 py-2 text-center',
  'xl:mt-[22px] xl:mb-3.5 xl:min-h-16 xl:flex-row xl:gap-3 xl:bg-sunken xl:p-2.5 xl:text-left',
)

function ProfileBlock() {
  const { data: me } = useQuery(signedInMemberQuery)
  if (!me) {
    return (
      <div role="status" aria-label={en('Loading…', 'Cargando…')} className={block}>
        <Skeleton className="size-11 flex-none rounded-full" />
        <div className="flex flex-col gap-1.5 max-xl:items-center">
          <Skeleton className="h-3.5 w-16 xl:w-28" />
          <Skeleton className="h-3 w-12 xl:w-20" />
        </div>
      </div>
    )
  }
  return (
    <Link
      to={screenPaths.profile(me.$id)}
      className={cx(block, 'hover:bg-brand-soft focus-visible:rounded-photo')}
    >
      <Avatar person={me} size={44} />
      <span className="min-w-0 max-w-full">
        <span className="block truncate font-[650] tracking-[-0.005em] max-xl:text-micro xl:leading-[1.25rem]">
          {me.name}
        </span>
        <span className="block truncate text-[0.71875rem] leading-[0.9375rem] text-text-2 xl:text-meta">
          @{me.username}
        </span>
      </span>
    </Link>
  )
}
