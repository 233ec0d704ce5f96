import { Link, useLocation } from 'react-router'
import { en } from '#contract/language.ts'
import { screenPaths } from '#web/paths.ts'
import { LazyUnreadConversationsBadge } from './deferred-layout-parts.tsx'
import {
  ariaCurrentOf,
  getNavigationLinkState,
  type NavigationEntry,
  navigationEntries,
} from './navigation-entries.ts'
import { useSamePageLinkRefresh } from './use-same-page-link-refresh.ts'

/** Shown below 768 px. All seven entries are at least 44 px wide. */
export function BottomNav() {
  return (
    <nav
      data-bottom-bar
      aria-label={en('Main', 'Principal')}
      className="frosted fixed inset-x-0 bottom-0 z-30 grid grid-cols-7 border-t border-border px-0.5 pb-[env(safe-area-inset-bottom)] md:hidden print:hidden"
    >
      {navigationEntries.map((entry) => (
        <BottomLink key={entry.to} entry={entry} />
      ))}
    </nav>
  )
}

function BottomLink({ entry }: { entry: NavigationEntry }) {
  const { to, label, shortLabel = label, icon: Icon } = entry
  const { pathname } = useLocation()
  const returnToTop = useSamePageLinkRefresh(to)
  return (
    <Link
      to={to}
      state={getNavigationLinkState(entry, pathname)}
      aria-current={ariaCurrentOf(pathname, entry)}
      onClick={returnToTop}
      className="group relative flex h-[min(4rem,76px)] min-w-0 flex-col items-center justify-center gap-[3px] text-[min(0.6875rem,3.4vw)] leading-[1.2] font-semibold tracking-[-0.01em] text-text-2 focus-visible:-outline-offset-2 aria-[current=page]:font-[720] aria-[current=page]:text-brand-text"
    >
      <span className="grid h-7 w-11 max-w-full place-items-center rounded-full group-aria-[current=page]:bg-brand-soft">
        <Icon size={22} strokeWidth={1.9} className="group-aria-[current=page]:stroke-[2.3]" />
      </span>
      {shortLabel}
      {to === screenPaths.chat() && <LazyUnreadConversationsBadge />}
    </Link>
  )
}
