import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { Outlet, useLocation } from 'react-router'
import { en } from '#contract/language.ts'
import { signedInMemberQuery } from '#web/features/account/signed-in-member.ts'
import { resetCommunityIdentity, showCommunityIdentity } from '#web/navigation/community-identity.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton, SkeletonRegion } from '#web/ui/skeleton.tsx'
import { BottomNav } from './bottom-nav.tsx'
import { LazyBackgroundTasksAndOverlays, LazyPullToRefresh } from './deferred-layout-parts.tsx'
import { ErrorBoundary } from './error-page.tsx'
import { MobileTopBar } from './mobile-top-bar.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { Sidebar } from './sidebar.tsx'
import { useMemberQueryClient } from './use-member-query-client.ts'

export function MemberLayout() {
  const client = useMemberQueryClient()
  return (
    <QueryClientProvider client={client}>
      <LazyPullToRefresh />
      <div className="md:grid md:min-h-dvh md:grid-cols-[var(--sidebar)_minmax(0,1fr)] print:block">
        <SkipLink />
        <LazyBackgroundTasksAndOverlays />
        <Sidebar />
        <MobileTopBar />
        <div className="min-w-0 pb-(--bottom-bar)">
          <OfflineBanner
            sentence={en(
              'You’re offline. We’ll refresh when you’re back online.',
              'Estás sin conexión. Lo intentaremos en cuanto vuelva.',
            )}
          />
          <main
            id="content"
            tabIndex={-1}
            className="px-3 pt-4 pb-10 outline-none md:px-7 md:pt-7 md:pb-16 xl:px-10 xl:pt-8 xl:pb-18"
          >
            <Content />
          </main>
        </div>
        <BottomNav />
      </div>
    </QueryClientProvider>
  )
}

/** `useSignedInMember` requires a known member. */
function Content() {
  const me = useQuery(signedInMemberQuery)
  const { pathname } = useLocation()
  const { community: name, accent, logo } = me.data ?? {}
  const isKnown = me.data !== undefined
  useEffect(() => {
    if (isKnown) showCommunityIdentity({ name, accent, logo })
  }, [isKnown, name, accent, logo])
  useEffect(() => resetCommunityIdentity, [])
  if (me.isError && !me.data)
    return <ErrorState text={en('We couldn’t load this.', 'No pudimos cargarlo.')} onRetry={me.refetch} />
  if (!me.data) return <Waiting />
  return (
    <ErrorBoundary at={pathname}>
      <Suspense fallback={<Waiting />}>
        <Outlet />
      </Suspense>
    </ErrorBoundary>
  )
}

function Waiting() {
  return (
    <SkeletonRegion atOnce>
      <div className="mx-auto max-w-[1080px] space-y-5">
        <Skeleton className="h-8 w-40" />
        <Skeleton className="h-[50dvh] rounded-card" />
      </div>
    </SkeletonRegion>
  )
}

/** Skips the navigation. The first tab stop of every page. */
function SkipLink() {
  return (
    <button
      type="button"
      onClick={() => document.getElementById('content')?.focus()}
      className="fixed top-3 left-3 z-80 rounded-input bg-brand px-4.5 py-3 text-on-brand not-focus:sr-only"
    >
      {en('Skip to content', 'Saltar al contenido')}
    </button>
  )
}
