import { useQuery } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { meQuery } from '#web/features/account/queries.ts'
import { useSignOut } from '#web/features/account/use-sign-out.ts'
import { paths } from '#web/paths.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Brand } from '#web/ui/brand.tsx'
import { classes } from '#web/ui/classes.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { UnreadBadge } from './after-paint.tsx'
import { currentAt, type Entry, entries } from './navigation.ts'

const row = classes(
  'relative flex min-h-12 items-center gap-3.5 rounded-input px-3.5 text-name transition-colors duration-120',
  'max-xl:min-h-[58px] max-xl:flex-col max-xl:justify-center max-xl:gap-1 max-xl:px-1 max-xl:text-center max-xl:text-micro',
  'focus-visible:rounded-input',
)
const quiet = 'font-[550] text-text-2 hover:bg-sunken hover:text-text'
const here =
  'aria-[current=page]:bg-brand-soft aria-[current=page]:font-[680] aria-[current=page]:text-brand-text aria-[current=page]:[&_svg]:stroke-[2.3]'
const make =
  'mt-3 justify-center forced-colors:border gap-2.5! bg-brand font-[650] text-on-brand hover:bg-brand-hover aria-[current=page]:bg-brand-press max-xl:mt-2 max-xl:gap-1!'

/** From 1280 px a sidebar, from 768 px a rail of icons over their labels; below, the bars stand in for it. */
export function Sidebar() {
  const signOut = useSignOut()
  return (
    <aside
      aria-label="Sidebar"
      className="sticky top-0 flex h-dvh flex-col overflow-y-auto border-r border-border bg-surface px-2 pt-[18px] pb-3 max-md:hidden xl:px-4 xl:pt-[22px] xl:pb-4"
    >
      <Brand to={paths.home()} wordClassName="max-xl:hidden" className="max-xl:justify-center xl:px-2.5" />
      <ProfileBlock />
      <nav aria-label="Main" className="flex flex-col gap-0.5">
        {entries.map((entry) => (
          <SidebarLink key={entry.to} entry={entry} />
        ))}
      </nav>
      <button
        type="button"
        data-leaves
        aria-busy={signOut.busy || undefined}
        onClick={signOut.run}
        className={classes(row, quiet, 'mt-auto w-full flex-none')}
      >
        <LogOut size={22} strokeWidth={1.9} className="flex-none" />
        Logout
      </button>
    </aside>
  )
}

function SidebarLink({ entry }: { entry: Entry }) {
  const { to, label, icon: Icon } = entry
  const { pathname } = useLocation()
  return (
    <Link
      to={to}
      aria-current={currentAt(pathname, entry)}
      className={classes(row, to === paths.createPost() ? make : classes(quiet, here))}
    >
      <Icon size={22} strokeWidth={1.9} className="flex-none" />
      {label}
      {to === paths.chat() && <UnreadBadge />}
    </Link>
  )
}

const block = classes(
  'mt-4 mb-2.5 flex min-h-[92px] flex-none flex-col items-center gap-1 rounded-photo px-1 py-2 text-center',
  'xl:mt-[22px] xl:mb-3.5 xl:min-h-16 xl:flex-row xl:gap-3 xl:bg-sunken xl:p-2.5 xl:text-left',
)

function ProfileBlock() {
  const { data: me } = useQuery(meQuery)
  if (!me) {
    return (
      <div role="status" aria-label="Loading…" className={block}>
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
      to={paths.profile(me.$id)}
      className={classes(block, 'hover:bg-brand-soft focus-visible:rounded-photo')}
    >
      <Avatar person={me} size={44} />
      <span className="min-w-0 max-w-full">
        <span className="block truncate font-[650] tracking-[-0.005em] max-xl:text-micro xl:leading-5">
          {me.name}
        </span>
        <span className="block truncate text-[0.71875rem] leading-[15px] text-text-2 xl:text-meta">
          @{me.username}
        </span>
      </span>
    </Link>
  )
}
