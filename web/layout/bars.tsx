import { useQuery } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { meQuery } from '#web/features/account/queries.ts'
import { useSignOut } from '#web/features/account/use-sign-out.ts'
import { paths } from '#web/paths.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Brand } from '#web/ui/brand.tsx'
import { IconButton, IconLink } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { UnreadBadge } from './after-paint.tsx'
import { currentAt, entries } from './navigation.ts'

/** Below 768 px: the brand, the way out and the way to her profile. */
export function TopBar() {
  const { data: me } = useQuery(meQuery)
  const signOut = useSignOut()
  return (
    <header className="frosted sticky top-0 z-30 flex h-14 items-center border-b border-border pr-2 pl-3 md:hidden">
      <Brand to={paths.home()} small className="mr-auto px-1" />
      <IconButton data-leaves label="Logout" aria-busy={signOut.busy || undefined} onClick={signOut.run}>
        <LogOut size={22} strokeWidth={1.9} />
      </IconButton>
      {me ? (
        <IconLink to={paths.profile(me.$id)} label="Your profile">
          <Avatar person={me} size={32} />
        </IconLink>
      ) : (
        <div role="status" aria-label="Loading…" className="grid size-11 place-items-center">
          <Skeleton className="size-8 rounded-full" />
        </div>
      )}
    </header>
  )
}

/** Below 768 px: all seven entries, each at least 44 px. */
export function BottomBar() {
  const { pathname } = useLocation()
  return (
    <nav
      aria-label="Main"
      className="frosted fixed inset-x-0 bottom-0 z-30 grid grid-cols-7 border-t border-border px-0.5 pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {entries.map((entry) => {
        const { to, label, shortLabel = label, icon: Icon } = entry
        return (
          <Link
            key={to}
            to={to}
            aria-current={currentAt(pathname, entry)}
            className="group relative flex h-16 flex-col items-center justify-center gap-[3px] text-bar font-semibold tracking-[-0.01em] text-text-2 focus-visible:-outline-offset-2 aria-[current=page]:font-[720] aria-[current=page]:text-brand-text"
          >
            <span className="grid h-7 w-11 max-w-full place-items-center rounded-full group-aria-[current=page]:bg-brand-soft">
              <Icon size={22} strokeWidth={1.9} className="group-aria-[current=page]:stroke-[2.3]" />
            </span>
            {shortLabel}
            {to === paths.chat() && <UnreadBadge />}
          </Link>
        )
      })}
    </nav>
  )
}
